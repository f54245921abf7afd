/**
 * Belay and its peers on one PostgreSQL, in one run. Invariant: every system does the same work on
 * the same durable server while the others rest. One thread drives; the measured systems run in
 * their own processes.
 */
@NullMarked
package dev.belay.benchmarks;

import org.jspecify.annotations.NullMarked;
