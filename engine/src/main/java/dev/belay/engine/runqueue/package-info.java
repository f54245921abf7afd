/**
 * Whose turn it is: a QUEUED run starts only when its workflow is not paused and has fewer RUNNING
 * runs than {@code max_active}; the oldest go first.
 *
 * <p>Invariant: every QUEUED run has either a mark, or a reason (it is held). A held run whose turn
 * has come is released in the same transaction that made room for it: the end of another run, a
 * resume, a higher limit. Those transactions and the starts are put in line by the lock on the
 * workflow's control row, which is taken before tasks and runs. RUNNING is counted under the epoch
 * lock, and only a leader makes a run RUNNING, so the limit is exact, also across failover.
 *
 * <p>Threads: any; a {@link dev.belay.engine.runqueue.RunQueue} belongs to one transaction.
 */
@NullMarked
package dev.belay.engine.runqueue;

import org.jspecify.annotations.NullMarked;
