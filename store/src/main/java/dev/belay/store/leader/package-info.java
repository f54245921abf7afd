/**
 * Leadership on PostgreSQL: the leader lock, the epoch and the epoch lock that every leader
 * transaction enters.
 *
 * <p><b>Invariant.</b> No transaction of an epoch commits after a later epoch did: the successor
 * raises the epoch behind the exclusive epoch lock, which waits for whoever holds it shared, and
 * cuts off whoever holds it for too long.
 *
 * <p><b>Failures.</b> A leader that died frees the lock with its connection. One that froze, or
 * lost its network, loses its session after {@code idle_session_timeout}; what it had open inside
 * the epoch lock ends by {@code idle_in_transaction_session_timeout}, or by the successor. A server
 * that froze ends each query of the election by the network timeout.
 *
 * <p><b>Threads.</b> An election belongs to one thread; the epoch lock has no state.
 */
@NullMarked
package dev.belay.store.leader;

import org.jspecify.annotations.NullMarked;
