package dev.belay.engine.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Maps this process's monotonic clock to the database's clock. The replica heartbeat updates it
 * once a second. It works while the database is down, so a fact that is written after an outage
 * keeps its time. One thread writes, any thread reads.
 */
public final class DatabaseClock {

  /** A faster answer always counts. */
  private static final Duration QUICK = Duration.ofMillis(100);

  /** Of so many slow answers the fastest counts, if none was quick before. */
  private static final int SLOW_MAX = 3;

  private volatile @Nullable Look last;
  private @Nullable Look fastest;
  private int slow;

  private record Look(long millis, long databaseMillis, long tookNanos) {
    long at(long millis) {
      return databaseMillis + millis - this.millis;
    }
  }

  /**
   * Takes an answer of the database. An answer slower than the last one that counts is less exact,
   * so it counts only when it shows that the clock was set.
   *
   * @param askedNanos by a monotonic clock
   * @param answeredNanos by the same
   */
  public void look(Instant databaseNow, long askedNanos, long answeredNanos) {
    Look before = last;
    long took = answeredNanos - askedNanos;
    long shown = databaseNow.toEpochMilli();
    var look = new Look(millis(askedNanos + took / 2), shown, took);
    if (before == null && took > QUICK.toNanos()) {
      Look known = fastest;
      fastest = known == null || took < known.tookNanos() ? look : known;
      last = ++slow < SLOW_MAX ? null : fastest;
      return;
    }
    if (before == null
        || took <= Math.max(QUICK.toNanos(), before.tookNanos())
        || shown < before.at(millis(askedNanos)) - QUICK.toMillis()
        || shown > before.at(millis(answeredNanos)) + QUICK.toMillis()) {
      last = look;
    }
  }

  /** The database's Unix milliseconds at that moment; empty before the first answer that counts. */
  OptionalLong at(long millis) {
    Look look = last;
    return look == null ? OptionalLong.empty() : OptionalLong.of(look.at(millis));
  }

  static long millis(long nanos) {
    return Math.floorDiv(nanos, 1_000_000);
  }
}
