/**
 * The metrics that Prometheus scrapes. {@link dev.belay.server.metrics.Metric} declares each metric
 * once, with the names that similar products use for it; docs/metrics.md lists them. This package
 * implements the engine's port and wraps its stores; the engine does not know it.
 *
 * <p><b>Invariant.</b> Every declared metric exists from the start, with every label value known in
 * advance. Thread-safe.
 */
@NullMarked
package dev.belay.server.metrics;

import org.jspecify.annotations.NullMarked;
