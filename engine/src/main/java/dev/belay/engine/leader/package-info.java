/**
 * Leadership and the tick.
 *
 * <p><b>Invariant.</b> At most one epoch can write, whatever any replica believes: every leader
 * transaction takes the epoch lock, and a leadership begins by raising the epoch behind it.
 *
 * <p><b>States.</b> A replica follows (and campaigns periodically), leads, or leads without trust:
 * its last proof is older than the trust window, so it does not tick until a proof succeeds. It
 * stops leading when a proof fails, when the epoch lock deposes it, or when it resigns.
 *
 * <p><b>Trust window.</b> Starts when the last successful proof was requested, on a monotonic
 * ticker. It is shorter than the time after which the database releases the lock of a silent
 * leader. So a leader that was frozen or partitioned stops ticking before another one leads.
 *
 * <p><b>Threads.</b> The election and the tick have one each and share the held leadership. Only
 * the election's thread touches the election: after {@code Deposed} the tick's thread ends the
 * leadership and wakes the other, which releases the lock. To stop a replica, stop the tick, wait
 * for claims, end the election's loop, then resign.
 */
@NullMarked
package dev.belay.engine.leader;

import org.jspecify.annotations.NullMarked;
