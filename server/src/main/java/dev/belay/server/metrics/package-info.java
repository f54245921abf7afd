/**
 * The metrics that Prometheus scrapes. {@link dev.belay.server.metrics.Metric} declares each metric
 * once, with the names that similar products use for it; docs/metrics.md lists them. The engine
 * does not know this package, which implements its port and wraps its stores.
 *
 * <p><b>Invariant.</b> Every declared metric exists from the start, with every label value that is
 * known in advance. Thread-safe.
 */
@NullMarked
package dev.belay.server.metrics;

import org.jspecify.annotations.NullMarked;
