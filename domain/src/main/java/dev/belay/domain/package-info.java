/**
 * Pure decisions: states, transitions, planning, the judgement of ends, routing. JDK only; no I/O,
 * no clock reads, no threads. Invariant: every function is total and answers the same for the same
 * input.
 */
@NullMarked
package dev.belay.domain;

import org.jspecify.annotations.NullMarked;
