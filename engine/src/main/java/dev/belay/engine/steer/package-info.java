/**
 * What people ask of work that was accepted: its end, another try, a pause.
 *
 * <p>Invariant: an idle task is cancelled at once; an active one is only asked to end, by the abort
 * reason of its current dispatch, and ends when its worker says so; the first reason wins. Only a
 * run that is over is retried, and it becomes QUEUED: the leader alone starts runs. Rows are locked
 * in the order controls of workflows, then tasks, then runs.
 *
 * <p>Threads: any; {@link dev.belay.engine.steer.Steering} is stateless.
 */
@NullMarked
package dev.belay.engine.steer;

import org.jspecify.annotations.NullMarked;
