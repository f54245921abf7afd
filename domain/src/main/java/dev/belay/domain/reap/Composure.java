package dev.belay.domain.reap;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the one who reaps has looked long and steadily enough to trust what is seen: not right
 * after an election, a step of the database's clock, or a gap in which it did not answer. Belongs
 * to one thread.
 */
public final class Composure {

  private final ReapSettings.Grace grace;
  private @Nullable Look last;
  private long calmAt;
  private String why = "";

  private record Look(long nanos, Instant databaseNow) {}

  public Composure(ReapSettings.Grace grace) {
    this.grace = grace;
  }

  /**
   * A leadership began.
   *
   * @param inherits something was active before it: only that needs the grace
   */
  public void begin(long nanos, boolean inherits) {
    last = null;
    calmAt = nanos;
    if (inherits) {
      restart(nanos, "a new leader looks around first");
    }
  }

  /**
   * The database was read.
   *
   * @param nanos of a monotonic clock, taken when the answer was here
   */
  public void look(long nanos, Instant databaseNow) {
    Look before = last;
    last = new Look(nanos, databaseNow);
    if (before == null) {
      return;
    }
    Duration ours = Duration.ofNanos(nanos - before.nanos);
    Duration theirs = Duration.between(before.databaseNow, databaseNow);
    if (theirs.minus(ours).abs().compareTo(grace.clockStep()) > 0) {
      restart(nanos, "the database's clock jumped");
    }
  }

  private void restart(long nanos, String reason) {
    calmAt = nanos + grace.takeover().toNanos();
    why = reason;
  }

  /**
   * @param steadyFor how long the database has answered without a gap
   * @return why not; empty when calm
   */
  public Optional<String> unrest(long nanos, Duration steadyFor) {
    if (steadyFor.compareTo(grace.takeover()) < 0) {
      return Optional.of("the database was out of reach");
    }
    return nanos - calmAt >= 0 ? Optional.empty() : Optional.of(why);
  }
}
