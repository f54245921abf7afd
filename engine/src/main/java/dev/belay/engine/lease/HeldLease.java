package dev.belay.engine.lease;

import dev.belay.engine.port.LeaseStore.Outcome;
import dev.belay.engine.port.LeaseToken;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A lease that this replica has acquired. Thread-safe. */
final class HeldLease {

  /** Failed renewals in a row. */
  static final int FAILURES_MAX = 3;

  private final LeaseToken token;
  private final Duration ttl;
  private final LongSupplier ticker;
  private final long acquiredAt;
  private long provedAt;
  private int failures;
  private @Nullable Outcome end;

  /**
   * @param asked when the request that acquired the lease was sent
   */
  HeldLease(LeaseToken token, Duration ttl, long asked, LongSupplier ticker) {
    this.token = token;
    this.ttl = ttl;
    this.ticker = ticker;
    this.acquiredAt = asked;
    this.provedAt = asked;
  }

  LeaseToken token() {
    return token;
  }

  Duration age() {
    return Duration.ofNanos(ticker.getAsLong() - acquiredAt);
  }

  /** Why this replica must not go on; empty while it may. */
  synchronized Optional<Outcome> over() {
    if (end == null && ticker.getAsLong() - provedAt >= ttl.toNanos()) {
      end = Outcome.ABANDONED;
    }
    return Optional.ofNullable(end);
  }

  /**
   * @param asked when the request was sent
   */
  synchronized void renewed(long asked) {
    provedAt = asked;
    failures = 0;
  }

  synchronized void renewalFailed() {
    if (++failures >= FAILURES_MAX && end == null) {
      end = Outcome.ABANDONED;
    }
  }

  synchronized void lost() {
    if (end == null) {
      end = Outcome.LOST;
    }
  }
}
