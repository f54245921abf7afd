/**
 * Requests of people about accepted work: terminate, cancel, unblock, retry, pause.
 *
 * <p>Invariant: an idle task ends at once. An active one is only asked to end, through the abort
 * reason of its current dispatch, and ends when its worker reports so, or is lost; the first reason
 * wins, and decides unless the attempt succeeded. {@link dev.belay.engine.steer.Termination} does
 * this in any transaction. Only an ended run can be retried, and it becomes QUEUED: only the leader
 * starts runs. Rows are locked in the order controls of workflows, tasks, runs.
 *
 * <p>Threads: any; {@link dev.belay.engine.steer.Steering} is stateless.
 */
@NullMarked
package dev.belay.engine.steer;

import org.jspecify.annotations.NullMarked;
