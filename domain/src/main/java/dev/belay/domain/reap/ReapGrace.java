package dev.belay.domain.reap;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether the reaper has watched long and steadily enough to trust a silence: not right
 * after an election, a step of the database's clock, or a gap in its answers. Every replica watches
 * the clock, so that a new leader knows of a step shortly before its election. Thread-safe.
 */
public final class ReapGrace {

  private final ReapSettings.Grace grace;
  private @Nullable Look last;
  private long electionOver;
  private long stepOver;

  private record Look(long asked, long answered, Instant databaseNow) {}

  public ReapGrace(ReapSettings.Grace grace) {
    this.grace = grace;
  }

  /**
   * A leadership began.
   *
   * @param inherits tasks were active before it; only those need the grace
   */
  public synchronized void begin(long nanos, boolean inherits) {
    electionOver = inherits ? nanos + grace.takeover().toNanos() : nanos;
    if (last == null) {
      stepOver = nanos;
    }
  }

  /**
   * The database was read, by the reaper or by the replica heartbeat. A slow answer leaves open
   * when the clock was read, so it counts as a step where it could hide one.
   *
   * @param asked monotonic nanoseconds
   * @param answered by the same clock
   */
  public synchronized void look(long asked, long answered, Instant databaseNow) {
    Look before = last;
    last = new Look(asked, answered, databaseNow);
    if (before == null) {
      stepOver = answered;
      return;
    }
    Duration theirs = Duration.between(before.databaseNow, databaseNow);
    Duration least = Duration.ofNanos(asked - before.answered);
    Duration most = Duration.ofNanos(answered - before.asked);
    if (theirs.minus(least).compareTo(grace.clockStep()) > 0
        || most.minus(theirs).compareTo(grace.clockStep()) > 0) {
      stepOver = answered + grace.takeover().toNanos();
    }
  }

  /**
   * @param steadyFor how long the database has answered this replica without a gap
   * @return why silence does not count; empty when it does
   */
  public synchronized Optional<GraceReason> grace(long nanos, Duration steadyFor) {
    if (nanos - stepOver < 0) {
      return Optional.of(GraceReason.CLOCK_STEP);
    }
    if (steadyFor.compareTo(grace.takeover()) < 0) {
      return Optional.of(GraceReason.DATABASE_GAP);
    }
    return nanos - electionOver < 0 ? Optional.of(GraceReason.ELECTION) : Optional.empty();
  }
}
