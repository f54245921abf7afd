/**
 * The results of a benchmark, for people and as JSON. Invariant: a figure comes with its spread,
 * and a benchmark that cannot be trusted reports why. Plain values, any thread.
 */
@NullMarked
package dev.belay.benchmarks.report;

import org.jspecify.annotations.NullMarked;
