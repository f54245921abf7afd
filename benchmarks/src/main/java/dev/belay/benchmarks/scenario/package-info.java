/**
 * One class per benchmark. Invariant: a scenario warms up first, then repeats, alternating with the
 * systems it is compared with. One thread.
 */
@NullMarked
package dev.belay.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
