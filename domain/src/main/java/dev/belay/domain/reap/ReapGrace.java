package dev.belay.domain.reap;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tracks whether the reaper has watched long and steadily enough to trust a silence: not right
 * after an election, a step of the database's clock, or a gap in its answers. Confined to one
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
   * @param inherits tasks were active before it; only those need the grace
   */
  public void begin(long nanos, boolean inherits) {
    last = null;
    stepOver = nanos;
    electionOver = inherits ? nanos + grace.takeover().toNanos() : nanos;
  }

  /**
   * The database was read.
   *
   * @param nanos monotonic, taken when the answer arrived
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
   * @return why silence does not count; empty when it does
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
