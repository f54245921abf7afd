/**
 * Decides whose turn it is: a QUEUED run starts only when its workflow is not paused and has fewer
 * RUNNING runs than {@code max_active}; the oldest go first.
 *
 * <p>Invariant: every QUEUED run has either a mark, or a reason (it is held). The transaction that
 * makes room (the end of another run, a resume, a higher limit) also releases the held run whose
 * turn has come. The lock on the workflow's control row, taken before tasks and runs, serializes
 * these transactions and the starts. RUNNING is counted under the epoch lock, and only a leader
 * makes a run RUNNING, so the limit is exact, even across failover.
 *
 * <p>Threads: any; a {@link dev.belay.engine.runqueue.RunQueue} belongs to one transaction.
 */
@NullMarked
package dev.belay.engine.runqueue;

import org.jspecify.annotations.NullMarked;
