/**
 * Requests of people about accepted work: terminate, cancel, clear, retry, mark, skip, block and
 * unblock, priority, pause.
 *
 * <p>Invariant: an idle task ends at once. An active one is only asked to end, through the abort
 * reason of its current dispatch, and ends when its worker reports so, or is lost; the first reason
 * wins, and decides unless the attempt succeeded. {@link dev.belay.engine.steer.Termination} does
 * this in any transaction. A run that has ended and is reopened becomes QUEUED: only the leader
 * starts runs. A task that has ended is reopened in its next generation, and so are the WAITING
 * tasks after it: plans that were made before and written later do not apply. Rows are locked in
 * the order controls of workflows, tasks, runs.
 *
 * <p>Threads: any; {@link dev.belay.engine.steer.Steering} and {@link
 * dev.belay.engine.steer.TaskSteering} are stateless.
 */
@NullMarked
package dev.belay.engine.steer;

import org.jspecify.annotations.NullMarked;
