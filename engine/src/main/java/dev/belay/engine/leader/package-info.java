/**
 * Leadership and the tick.
 *
 * <p><b>Invariant.</b> At most one epoch can write, whatever any replica believes: every leader
 * transaction enters the epoch lock, and a leadership begins by raising the epoch behind it.
 *
 * <p><b>States.</b> A replica follows (it campaigns again and again), leads, or leads without trust
 * (its last proof is older than the trust window: it does not tick, and goes on when the next proof
 * succeeds). It ceases to lead when a proof fails, when the epoch lock deposes it, or when it
 * resigns.
 *
 * <p><b>Trust window.</b> Counted from when the last successful proof was asked for, on a monotonic
 * ticker; shorter than the time after which the database gives the lock of a silent leader away. So
 * a leader that was frozen or cut off stops before, or does not go on when, another leads.
 *
 * <p><b>Threads.</b> Election and tick; they share the held leadership. Only the election's thread
 * touches the election, so after {@code Deposed} the tick's thread only ends the leadership and
 * wakes the other, which lets the lock go. Whoever stops the replica stops the tick, waits for
 * claims, ends the election's loop, and resigns then.
 */
@NullMarked
package dev.belay.engine.leader;

import org.jspecify.annotations.NullMarked;
