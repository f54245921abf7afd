package dev.belay.engine.reap;

import dev.belay.domain.reap.ReapSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * A lower bound on the database's time that ignores forward steps of its clock. Leases are compared
 * with it, because they must not end early. The bound is the slowest reading within a lease,
 * advanced by a monotonic clock. No lease is longer, so the bound is not ahead of the clock that
 * any current lease was written by. The replica heartbeat feeds it, any thread reads it.
 */
public final class SafeClock {

  private final Duration lease;
  private final Duration gap;
  private final LongSupplier ticker;

  /** Each is slower than those after it; a later and slower reading replaces earlier ones. */
  private final Deque<Look> looks = new ArrayDeque<>();

  private long watchedFrom;
  private long lookedAt;

  /**
   * @param ticker monotonic nanoseconds
   */
  public SafeClock(ReapSettings settings, LongSupplier ticker) {
    this.lease = settings.lease().isOverAfter();
    this.gap = settings.grace().databaseGap();
    this.ticker = ticker;
  }

  private record Look(long nanos, Instant database) {
    Instant at(long now) {
      return database.plusNanos(now - nanos);
    }
  }

  /** Takes the database's time, read a moment ago. */
  public synchronized void look(Instant databaseNow) {
    long now = ticker.getAsLong();
    if (looks.isEmpty() || isGap(now)) {
      looks.clear();
      watchedFrom = now;
    }
    lookedAt = now;
    while (!looks.isEmpty() && !looks.getLast().at(now).isBefore(databaseNow)) {
      looks.removeLast();
    }
    looks.addLast(new Look(now, databaseNow));
    // keep one gap longer: a reading covers the writes until the next one
    while (now - looks.getFirst().nanos() > lease.plus(gap).toNanos()) {
      looks.removeFirst();
    }
  }

  private boolean isGap(long now) {
    return now - lookedAt > gap.toNanos();
  }

  /**
   * A task that waits for a lease until this time may be claimed, if the database's clock agrees.
   * The epoch until the clock was watched long enough.
   */
  public synchronized Instant now() {
    long now = ticker.getAsLong();
    boolean known = !looks.isEmpty() && !isGap(now) && now - watchedFrom >= lease.toNanos();
    return known ? looks.getFirst().at(now) : Instant.EPOCH;
  }
}
