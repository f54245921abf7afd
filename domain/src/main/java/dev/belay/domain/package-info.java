/**
 * Pure decisions: states, transitions, planning, retries, routing. JDK only; no I/O, no clock
 * reads, no threads. Invariant: every function is total and returns the same result for the same
 * input.
 */
@NullMarked
package dev.belay.domain;

import org.jspecify.annotations.NullMarked;
