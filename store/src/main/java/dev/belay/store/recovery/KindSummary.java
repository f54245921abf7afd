package dev.belay.store.recovery;

import dev.belay.domain.reap.RecoveryKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The promised and the measured times of one kind of recovery.
 *
 * @param reason the reason that tasks and runs of this kind show
 * @param promisedMs under the current settings; a recovery is late by the promise of its own time
 * @param detected from the last sign of life
 * @param runningAgain from the last sign of life, for recoveries that ran again
 * @param open may still run again
 * @param late took longer than promised
 */
public record KindSummary(
    String kind,
    String reason,
    long promisedMs,
    long count,
    Measured detected,
    Measured runningAgain,
    long open,
    long late) {

  /** Null without measurements. */
  public record Measured(
      long count, @Nullable Long p50Ms, @Nullable Long p99Ms, @Nullable Long worstMs) {
    static final Measured NOTHING = new Measured(0, null, null, null);
  }

  static KindSummary none(RecoveryKind kind, Duration promised) {
    return new KindSummary(
        kind.word(),
        kind.reason(),
        promised.toMillis(),
        0,
        Measured.NOTHING,
        Measured.NOTHING,
        0,
        0);
  }
}
