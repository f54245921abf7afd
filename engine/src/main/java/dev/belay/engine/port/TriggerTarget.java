package dev.belay.engine.port;

import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.spec.RunLimits.Overlap;
import dev.belay.domain.trigger.TargetState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The workflow whose runs a trigger starts, as it is now.
 *
 * @param version its latest one; null when there is none
 * @param now by the database's clock
 */
public record TriggerTarget(
    Workflow workflow, @Nullable WorkflowId version, TargetState state, Limit limit, Instant now) {

  /**
   * @param maxActive null means no limit
   */
  public record Limit(@Nullable Integer maxActive, Overlap overlap) {

    /** Whether open runs can keep a new one from starting, or the other way round. */
    public boolean isStrict() {
      return maxActive != null
          && switch (overlap) {
            case SKIP, CANCEL_RUNNING -> true;
            case QUEUE, ALLOW -> false;
          };
    }

    /** Whether a run waits for {@code max_active} and counts against it. */
    public boolean counts() {
      return overlap != Overlap.ALLOW;
    }
  }
}
