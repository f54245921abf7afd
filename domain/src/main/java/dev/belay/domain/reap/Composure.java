package dev.belay.domain.reap;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether the one who reaps has looked long and steadily enough to trust what is seen: not right
 * after an election, a gap in which the database did not answer, or a step of its clock. Belongs to
 * one thread.
 */
public final class Composure {

  private final ReapSettings.Grace grace;
  private @Nullable Look last;
  private long answered;
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
    Duration gap = Duration.ofNanos(nanos - answered);
    last = new Look(nanos, databaseNow);
    answered = nanos;
    if (before == null) {
      return;
    }
    Duration ours = Duration.ofNanos(nanos - before.nanos);
    Duration theirs = Duration.between(before.databaseNow, databaseNow);
    if (gap.compareTo(grace.databaseGap()) > 0) {
      restart(nanos, "the database was out of reach");
    } else if (theirs.minus(ours).abs().compareTo(grace.clockStep()) > 0) {
      restart(nanos, "the database's clock jumped");
    }
  }

  /** The database answered something else: however long our own work takes, that is no gap. */
  public void answered(long nanos) {
    answered = nanos;
  }

  private void restart(long nanos, String reason) {
    calmAt = nanos + grace.takeover().toNanos();
    why = reason;
  }

  public boolean isCalm(long nanos) {
    return nanos - calmAt >= 0;
  }

  /** Why it last was not calm. */
  public String why() {
    return why;
  }
}
