package dev.belay.domain.plan;

import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.task.TaskState;
import java.util.List;

/** Decides from its dependencies whether a task starts. The rules mean the same as in Airflow. */
public final class Trigger {

  /** The decision of a trigger rule. Only WAIT can change later. */
  public enum Decision {
    WAIT,
    START,
    SKIP,
    UPSTREAM_FAILED
  }

  private Trigger() {}

  public static Decision decide(TriggerRule rule, List<TaskState> upstream) {
    if (upstream.isEmpty()) {
      return Decision.START;
    }
    return decide(rule, Counts.of(upstream));
  }

  private static Decision decide(TriggerRule rule, Counts n) {
    return switch (rule) {
      case ALL_SUCCESS -> {
        if (n.failures() > 0) {
          yield Decision.UPSTREAM_FAILED;
        }
        yield n.skipped() > 0 ? Decision.SKIP : startWhen(n.success() == n.all());
      }
      case ALL_FAILED ->
          n.success() + n.skipped() > 0 ? Decision.SKIP : startWhen(n.failures() == n.all());
      case ALL_DONE -> startWhen(n.isDone());
      case ALL_SKIPPED ->
          n.success() + n.failures() > 0 ? Decision.SKIP : startWhen(n.skipped() == n.all());
      case ONE_SUCCESS -> {
        if (n.success() > 0) {
          yield Decision.START;
        }
        if (!n.isDone()) {
          yield Decision.WAIT;
        }
        yield n.skipped() == n.all() ? Decision.SKIP : Decision.UPSTREAM_FAILED;
      }
      case ONE_FAILED -> early(n.failures() > 0, n);
      case ONE_DONE -> early(n.success() + n.failed() > 0, n);
      case NONE_FAILED -> n.failures() > 0 ? Decision.UPSTREAM_FAILED : startWhen(n.isDone());
      case NONE_FAILED_MIN_ONE_SUCCESS -> {
        if (n.failures() > 0) {
          yield Decision.UPSTREAM_FAILED;
        }
        yield n.skipped() == n.all() ? Decision.SKIP : startWhen(n.isDone());
      }
      case NONE_SKIPPED -> n.skipped() > 0 ? Decision.SKIP : startWhen(n.isDone());
      case ALWAYS -> Decision.START;
    };
  }

  private static Decision startWhen(boolean met) {
    return met ? Decision.START : Decision.WAIT;
  }

  /** Starts as soon as one dependency satisfies the rule; skips when all ended and none did. */
  private static Decision early(boolean met, Counts n) {
    if (met) {
      return Decision.START;
    }
    return n.isDone() ? Decision.SKIP : Decision.WAIT;
  }

  private record Counts(int all, int success, int failed, int upstreamFailed, int skipped) {

    static Counts of(List<TaskState> states) {
      int success = 0;
      int failed = 0;
      int upstreamFailed = 0;
      int skipped = 0;
      for (TaskState state : states) {
        switch (state) {
          case SUCCEEDED -> success++;
          case FAILED, TIMEOUT, CANCELLED, DENIED, OUTPUT_QUARANTINED -> failed++;
          case UPSTREAM_FAILED -> upstreamFailed++;
          case SKIPPED -> skipped++;
          case WAITING,
              PENDING,
              APPROVAL_REQUIRED,
              SCHEDULED,
              DISPATCHED,
              RUNNING,
              DEFERRED,
              BLOCKED -> {}
        }
      }
      return new Counts(states.size(), success, failed, upstreamFailed, skipped);
    }

    int failures() {
      return failed + upstreamFailed;
    }

    boolean isDone() {
      return success + failures() + skipped == all;
    }
  }
}
