/**
 * Ends what no other component will end: attempts of dead workers, overdue tasks, orphaned runs.
 *
 * <p><b>Invariant.</b> A pure rule of {@code domain.reap} judges every ending on the database's
 * state, and the ending commits only if that state still holds under lock and the reaper still
 * leads. Silence does not count while the reaper itself may have been away ({@code ReapGrace});
 * written facts hold under any leader.
 *
 * <p><b>Threads.</b> One loop on each replica; it works only on the leader. The loop of the replica
 * heartbeat feeds {@code DatabaseUptime} and {@code SafeClock}; other threads read them.
 */
@NullMarked
package dev.belay.engine.reap;

import org.jspecify.annotations.NullMarked;
