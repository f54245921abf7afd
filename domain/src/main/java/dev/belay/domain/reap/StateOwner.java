package dev.belay.domain.reap;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.util.EnumSet;
import java.util.Set;

/**
 * The component that moves a task out of each state. A new state does not compile until it has an
 * owner here.
 */
public enum StateOwner {
  /** The tick dispatches it as soon as a worker has room. */
  DISPATCH(false),
  /** The tick moves it when its {@code not_before} has come. */
  TIMER(false),
  /** A person decides. A deadline, if set, still applies. */
  PERSON(false),
  /** Its worker, whose heartbeats must list it: {@link LivenessRule}. */
  LIVENESS(true),
  DEADLINE(true),
  RUNNING_AGE(true),
  PENDING_REPLAY(true),
  WAIT_LIMIT(true),
  ORPHAN_RUN(true);

  private final boolean reaper;

  StateOwner(boolean reaper) {
    this.reaper = reaper;
  }

  /** The reaper's owners in the order of a round: lost dispatches before orphaned runs. */
  public static Set<StateOwner> ofReaper() {
    Set<StateOwner> all = EnumSet.allOf(StateOwner.class);
    all.removeIf(watch -> !watch.reaper);
    return all;
  }

  public static Set<StateOwner> over(TaskState state) {
    return switch (state) {
      case WAITING -> EnumSet.of(ORPHAN_RUN, DEADLINE);
      case PENDING -> EnumSet.of(TIMER, PENDING_REPLAY, DEADLINE);
      case SCHEDULED -> EnumSet.of(DISPATCH, DEADLINE);
      case APPROVAL_REQUIRED -> EnumSet.of(WAIT_LIMIT, DEADLINE);
      // WAIT_LIMIT ends only a wait for something other than a time.
      case DEFERRED -> EnumSet.of(TIMER, WAIT_LIMIT, DEADLINE);
      case BLOCKED -> EnumSet.of(PERSON, DEADLINE);
      case DISPATCHED -> EnumSet.of(LIVENESS, DEADLINE);
      case RUNNING -> EnumSet.of(LIVENESS, RUNNING_AGE, DEADLINE);
      case SUCCEEDED,
          FAILED,
          TIMEOUT,
          CANCELLED,
          DENIED,
          OUTPUT_QUARANTINED,
          SKIPPED,
          UPSTREAM_FAILED ->
          EnumSet.noneOf(StateOwner.class);
    };
  }

  public static Set<StateOwner> over(RunState state) {
    return switch (state) {
      case QUEUED, RUNNING -> EnumSet.of(ORPHAN_RUN);
      case SUCCEEDED, FAILED, CANCELLED -> EnumSet.noneOf(StateOwner.class);
    };
  }
}
