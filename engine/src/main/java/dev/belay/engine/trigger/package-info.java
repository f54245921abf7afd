/**
 * Runs that other runs and events cause.
 *
 * <p>A cause is a row with the outcome <i>pending</i> for each trigger that waited for it. The
 * transaction that ends a run, or stores an event, inserts these rows, so no cause is lost and none
 * is there twice. The leader decides them in two loops, {@link dev.belay.engine.trigger.ChainPhase}
 * and {@link dev.belay.engine.trigger.EventPhase}: it reads some rows of each trigger, evaluates
 * the user's expressions on the threads of {@link dev.belay.engine.trigger.TriggerPool}, and writes
 * the outcomes together with the runs in one transaction under the epoch lock. That transaction
 * locks the rows first and starts runs only for those that are still undecided.
 *
 * <p>Nothing that decides is in memory only: a crash, or another leader, finds the same rows.
 */
@NullMarked
package dev.belay.engine.trigger;

import org.jspecify.annotations.NullMarked;
