/**
 * One class for each benchmark. Invariant: a scenario warms up first, then repeats, interleaved
 * with what it is compared with. One thread.
 */
@NullMarked
package dev.belay.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
