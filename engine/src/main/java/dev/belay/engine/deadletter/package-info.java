/**
 * Ends tasks that nothing can run, and writes dead letters.
 *
 * <p>Invariant: a task is given up by one transaction, which ends it and writes its dead letter.
 * The write is guarded by the state and the task queue of the task, and by the epoch of the leader:
 * a task that somebody claimed, cancelled or moved meanwhile is left alone.
 *
 * <p>Nothing is written while a task only waits. How long that is follows from the time since which
 * its task queue cannot be served.
 *
 * <p>Threads: stateless.
 */
@NullMarked
package dev.belay.engine.deadletter;

import org.jspecify.annotations.NullMarked;
