/**
 * The things a scenario works with: PostgreSQL, child processes, Belay in processes of its own, its
 * peers. Invariant: what is started is stopped, however the scenario ends. One thread drives them.
 */
@NullMarked
package dev.belay.benchmarks.lab;

import org.jspecify.annotations.NullMarked;
