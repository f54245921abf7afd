/**
 * The tools of a scenario: PostgreSQL, child processes, Belay in its own processes, its peers.
 * Invariant: everything started is stopped, however the scenario ends. One thread drives them.
 */
@NullMarked
package dev.belay.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
