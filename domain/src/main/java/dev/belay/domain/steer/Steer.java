package dev.belay.domain.steer;

import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.util.List;

/** How a person may change one task, by the state in which it is found. */
public final class Steer {

  /** Prefix of the reason of a task that a person skipped; nothing decides it again. */
  public static final String SKIPPED = "skipped";

  public static final int PRIORITY_MIN = 1;
  public static final int PRIORITY_MAX = 100;

  private Steer() {}

  /** What follows. */
  public sealed interface Action {

    /** It enters these states, one after the other, in one transaction. */
    record Go(List<TaskState> through) implements Action {
      public Go {
        through = List.copyOf(through);
      }
    }

    /** Its attempt is asked to end, and the task becomes what the reason says. */
    record End(AbortReason reason) implements Action {}

    /** It is there already. */
    record Nothing() implements Action {}

    /**
     * @param next what the person can do instead
     */
    record No(String next) implements Action {}
  }

  /**
   * @param as SUCCEEDED or FAILED
   */
  public static Action mark(TaskState from, TaskState as) {
    if (from == as) {
      return new Action.Nothing();
    }
    return switch (from.kind()) {
      case ACTIVE ->
          new Action.End(
              as == TaskState.SUCCEEDED ? AbortReason.MARKED_SUCCEEDED : AbortReason.MARKED_FAILED);
      case TERMINAL -> new Action.Go(List.of(TaskState.PENDING, as));
      case IDLE ->
          new Action.Go(
              TaskTransitions.allows(from, as) ? List.of(as) : List.of(TaskState.PENDING, as));
    };
  }

  public static Action skip(TaskState from) {
    if (from == TaskState.SKIPPED) {
      return new Action.Nothing();
    }
    return switch (from.kind()) {
      case ACTIVE -> new Action.No("Cancel it first, or mark it.");
      case TERMINAL -> new Action.No("It is over; to run it again, clear it.");
      case IDLE -> new Action.Go(List.of(TaskState.SKIPPED));
    };
  }

  public static Action block(TaskState from) {
    return switch (from) {
      case PENDING, SCHEDULED -> new Action.Go(List.of(TaskState.BLOCKED));
      case DISPATCHED, RUNNING -> new Action.End(AbortReason.BLOCKED);
      case BLOCKED -> new Action.Nothing();
      case WAITING ->
          new Action.No(
              "It waits for the tasks before it, and would forget them when it is unblocked; block"
                  + " one of those, or pause its workflow.");
      case APPROVAL_REQUIRED, DEFERRED ->
          new Action.No("It does not run and holds no slot; to end it, cancel or skip it.");
      case SUCCEEDED,
          FAILED,
          TIMEOUT,
          CANCELLED,
          DENIED,
          OUTPUT_QUARANTINED,
          SKIPPED,
          UPSTREAM_FAILED ->
          new Action.No("It is over; there is nothing to block.");
    };
  }
}
