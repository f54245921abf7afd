package dev.belay.engine.reap;

import dev.belay.domain.reap.ReapSettings;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How late it surely is by the database's clock: what that clock says, without what a step forward
 * may have added. Fences count by it, because they must not end early. Whatever was fenced before a
 * step, or by an earlier leader, has had its time when a whole lease has passed since; until then
 * the slowest of the times that were seen goes on. Written by the reaper, read by claims.
 */
public final class SureTime {

  private final Duration lease;
  private final Duration stepMax;
  private final LongSupplier ticker;
  private @Nullable Epoch epoch;
  private @Nullable Look last;
  private @Nullable Look slowest;
  private long trustedFrom;

  /**
   * @param ticker monotonic nanoseconds
   */
  public SureTime(ReapSettings settings, LongSupplier ticker) {
    this.lease = settings.lease().isOverAfter();
    this.stepMax = settings.grace().clockStep();
    this.ticker = ticker;
  }

  private record Look(long nanos, Instant database) {
    Instant at(long now) {
      return database.plusNanos(now - nanos);
    }
  }

  /** A leadership began: what an earlier one fenced, and by which time, is not known here. */
  synchronized void begin(Epoch leadership) {
    epoch = leadership;
    last = null;
    slowest = null;
    trustedFrom = ticker.getAsLong() + lease.toNanos();
  }

  /** The database was read a moment ago. */
  synchronized void look(Instant databaseNow) {
    long now = ticker.getAsLong();
    Look before = last;
    last = new Look(now, databaseNow);
    if (before != null && isStep(Duration.between(before.at(now), databaseNow))) {
      trustedFrom = now + lease.toNanos();
    }
    boolean trusted = now - trustedFrom >= 0;
    if (trusted || (slowest != null && databaseNow.isBefore(slowest.at(now)))) {
      slowest = last;
    }
  }

  private boolean isStep(Duration apart) {
    return apart.abs().compareTo(stepMax) > 0;
  }

  /** What is fenced until then may be claimed, if the database's clock agrees. */
  public synchronized Instant at(Epoch leadership) {
    return slowest == null || !leadership.equals(epoch)
        ? Instant.EPOCH
        : slowest.at(ticker.getAsLong());
  }
}
