package dev.belay.domain.reap;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One task or run that hung and was found, with the time that took.
 *
 * @param task null when a run was found
 * @param sinceLastSign how long ago somebody last heard of it
 * @param promised how long that may be
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
    // Clocks are set back; a time before the last sign is that sign.
    sinceLastSign = sinceLastSign.isNegative() ? Duration.ZERO : sinceLastSign;
  }
}
