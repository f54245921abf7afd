package dev.belay.engine.reap;

import dev.belay.domain.reap.ReapSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * How late it surely is by the database's clock: what that clock says, without what steps forward
 * may have added. Leases count by it, because they must not end early. None is longer than a lease,
 * so the slowest of all times that were seen within a lease, gone on by a clock that nobody sets,
 * is not later than the time that any lease was written by. Told by the replica's beats, read by
 * any thread.
 */
public final class SafeClock {

  private final Duration lease;
  private final Duration gap;
  private final LongSupplier ticker;

  /** Each slower than those after it: what is later and slower makes an earlier one pointless. */
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

  /** The database was read a moment ago. */
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
    // one that is a gap older still speaks for what was written before the next
    while (now - looks.getFirst().nanos() > lease.plus(gap).toNanos()) {
      looks.removeFirst();
    }
  }

  private boolean isGap(long now) {
    return now - lookedAt > gap.toNanos();
  }

  /**
   * What waits for a lease that ends then may be claimed, if the database's clock agrees; the epoch
   * while that clock was not watched for long enough to say.
   */
  public synchronized Instant now() {
    long now = ticker.getAsLong();
    boolean known = !looks.isEmpty() && !isGap(now) && now - watchedFrom >= lease.toNanos();
    return known ? looks.getFirst().at(now) : Instant.EPOCH;
  }
}
