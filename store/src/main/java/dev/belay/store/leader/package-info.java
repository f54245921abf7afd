/**
 * Leadership on PostgreSQL: the leader lock, the epoch, and the epoch lock that every leader
 * transaction enters.
 *
 * <p><b>Invariant.</b> No transaction of an epoch commits after a later epoch did. The successor
 * raises the epoch under the exclusive epoch lock: it waits for all shared holders and ends the
 * sessions of those that hold the lock too long.
 *
 * <p><b>Failures.</b> A dead leader frees the lock with its connection. A leader that froze or lost
 * its network loses its session after {@code idle_session_timeout}. Its transactions under the
 * epoch lock end by {@code idle_in_transaction_session_timeout}, or the successor ends them. If the
 * database server freezes, the network timeout ends each query of the election.
 *
 * <p><b>Threads.</b> An election belongs to one thread; the epoch lock has no state.
 */
@NullMarked
package dev.belay.store.leader;

import org.jspecify.annotations.NullMarked;
