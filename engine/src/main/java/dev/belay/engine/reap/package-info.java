/**
 * Ends what nobody else will: attempts of dead workers, overdue tasks, orphaned runs.
 *
 * <p><b>Invariant.</b> Whatever is ended here was judged by a pure rule of {@code domain.reap} on
 * what the database said, and is ended only if that is still true under lock and the reaper still
 * leads. No silence counts while the reaper itself may be the one who was away ({@code ReapGrace});
 * what is written holds, whoever leads.
 *
 * <p><b>Threads.</b> One loop on each replica; it works on the leader only. {@code DatabaseUptime}
 * and {@code SafeClock} are told by the loop of the replica's beats, and asked by others.
 */
@NullMarked
package dev.belay.engine.reap;

import org.jspecify.annotations.NullMarked;
