/**
 * Starts runs by themselves. Each part is a step that a loop of the leader repeats beside the tick,
 * so a slow one delays no other.
 *
 * <p>Identities: a trigger is a name in a workflow; each change of its file makes a new version of
 * it, with a range of instants of its own. The ledger has one row for each trigger and instant.
 *
 * <p>Invariant: the row of the ledger, the run and the cursor of the version are written in one
 * transaction under the epoch lock. The cursor only moves forward, and moves only from the instant
 * that was read; so an instant is decided once, whoever leads and however clocks step.
 *
 * <p>Failures: a crash before the commit leaves the instant due, and the next leader decides it. A
 * trigger that cannot be decided or written stops no other.
 */
@NullMarked
package dev.belay.engine.schedule;

import org.jspecify.annotations.NullMarked;
