/**
 * What Prometheus scrapes. {@link dev.belay.server.metrics.Metric} declares each metric once, with
 * the name under which the documents that Belay answers know it; docs/metrics.md lists them. The
 * engine knows nothing of this: its port is implemented here, and its stores are wrapped.
 *
 * <p><b>Invariant.</b> Every declared metric is there from the start, with every label value that
 * is known beforehand. Thread-safe.
 */
@NullMarked
package dev.belay.server.metrics;

import org.jspecify.annotations.NullMarked;
