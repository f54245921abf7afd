package dev.belay.domain.trigger;

import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.TriggerSpec.AfterWorkflow;
import java.util.Optional;

/** Decides whether a cause starts a run. */
public final class Causes {

  private Causes() {}

  /**
   * Why the end of a run does not start one; empty when it does.
   *
   * @param end of the upstream run
   * @param depth of the run that it would start
   */
  public static Optional<SkipReason> ofEnd(
      AfterWorkflow trigger, RunState end, TargetState target, int depth, int depthMax) {
    return trigger.on().contains(end)
        ? ofCause(target, depth, depthMax)
        : Optional.of(SkipReason.ON);
  }

  /** The same for any cause that the trigger waits for. */
  public static Optional<SkipReason> ofCause(TargetState target, int depth, int depthMax) {
    if (target.deleted()) {
      return Optional.of(SkipReason.DELETED);
    }
    if (target.paused()) {
      return Optional.of(SkipReason.PAUSED);
    }
    if (target.triggerPaused()) {
      return Optional.of(SkipReason.TRIGGER_PAUSED);
    }
    return depth > depthMax ? Optional.of(SkipReason.DEPTH) : Optional.empty();
  }
}
