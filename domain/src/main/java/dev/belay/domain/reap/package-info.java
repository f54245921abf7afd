/**
 * Decides when the reaper gives up a task or run: one pure rule for each kind of stall. Invariant:
 * a rule ends something only on positive evidence that no update of it will come, and every state
 * that is not terminal has a rule or a timer.
 */
@NullMarked
package dev.belay.domain.reap;

import org.jspecify.annotations.NullMarked;
