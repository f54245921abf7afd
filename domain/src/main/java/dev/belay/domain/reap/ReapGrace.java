package dev.belay.domain.reap;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the one who reaps has looked long and steadily enough to trust a silence: not right after
 * an election, a step of the database's clock, or a gap in which it did not answer. Belongs to one
 * thread.
 */
public final class ReapGrace {

  private final ReapSettings.Grace grace;
  private @Nullable Look last;
  private long electionOver;
  private long stepOver;

  private record Look(long nanos, Instant databaseNow) {}

  public ReapGrace(ReapSettings.Grace grace) {
    this.grace = grace;
  }

  /**
   * A leadership began.
   *
   * @param inherits something was active before it: only that needs the grace
   */
  public void begin(long nanos, boolean inherits) {
    last = null;
    stepOver = nanos;
    electionOver = inherits ? nanos + grace.takeover().toNanos() : nanos;
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
      stepOver = nanos + grace.takeover().toNanos();
    }
  }

  /**
   * @param steadyFor how long the database has answered this replica without a gap
   * @return why not; empty when calm
   */
  public Optional<GraceReason> grace(long nanos, Duration steadyFor) {
    if (nanos - stepOver < 0) {
      return Optional.of(GraceReason.CLOCK_STEP);
    }
    if (steadyFor.compareTo(grace.takeover()) < 0) {
      return Optional.of(GraceReason.DATABASE_GAP);
    }
    return nanos - electionOver < 0 ? Optional.of(GraceReason.ELECTION) : Optional.empty();
  }
}
