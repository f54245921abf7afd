package dev.belay.engine.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the database's clock showed at a moment of this process. The replica's beats tell it once a
 * second. It answers also while the database is away, so that a fact that is written after an
 * outage keeps its time. Written by one thread, read by any.
 */
public final class DatabaseClock {

  /** A quicker answer is as good as the last one. */
  private static final Duration QUICK = Duration.ofMillis(100);

  /** A first look that is slow is not taken, unless none is quicker. */
  private static final int SLOW_MAX = 3;

  private volatile @Nullable Look last;
  private int slow;

  private record Look(long millis, long databaseMillis, long tookNanos) {
    long at(long millis) {
      return databaseMillis + millis - this.millis;
    }
  }

  /**
   * The database was asked for its time. An answer that took longer than the last one that counts
   * may be anything in between, so it counts only when it shows that the clock was set.
   *
   * @param askedNanos by a monotonic clock
   * @param answeredNanos by the same
   */
  public void look(Instant databaseNow, long askedNanos, long answeredNanos) {
    Look before = last;
    long took = answeredNanos - askedNanos;
    long shown = databaseNow.toEpochMilli();
    if (before == null && took > QUICK.toNanos() && ++slow < SLOW_MAX) {
      return;
    }
    if (before == null
        || took <= Math.max(QUICK.toNanos(), before.tookNanos())
        || shown < before.at(millis(askedNanos)) - QUICK.toMillis()
        || shown > before.at(millis(answeredNanos)) + QUICK.toMillis()) {
      last = new Look(millis(askedNanos + took / 2), shown, took);
    }
  }

  /** Its milliseconds since the epoch at that moment; empty before the first look that counts. */
  OptionalLong at(long millis) {
    Look look = last;
    return look == null ? OptionalLong.empty() : OptionalLong.of(look.at(millis));
  }

  static long millis(long nanos) {
    return Math.floorDiv(nanos, 1_000_000);
  }
}
