package dev.belay.domain.reap;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A stalled task or run that was detected, with the time that took.
 *
 * @param task null for a run
 * @param sinceLastSign how long ago the last sign of life came
 * @param promised the limit for that time
 */
public record Recovered(
    RecoveryKind kind,
    @Nullable TaskId task,
    @Nullable RunId run,
    @Nullable DispatchId dispatch,
    @Nullable WorkerId worker,
    Duration sinceLastSign,
    Duration promised) {

  public Recovered {
    if (task == null && run == null) {
      throw new IllegalArgumentException("neither a task nor a run was found: " + kind);
    }
    // A clock that was set back can yield a negative time.
    sinceLastSign = sinceLastSign.isNegative() ? Duration.ZERO : sinceLastSign;
  }
}
