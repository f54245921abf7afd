package dev.belay.domain.settle;

import dev.belay.domain.task.TaskState;
import java.util.Locale;
import java.util.Optional;

/** Why a dispatch was asked to end, and where that leads. The first reason given wins. */
public enum AbortReason {
  CANCELLED(TaskState.CANCELLED),
  GRACEFUL_SHUTDOWN(TaskState.SCHEDULED),
  COOPERATIVE_PREEMPTION(TaskState.SCHEDULED),
  PREEMPTION_TIMEOUT(TaskState.SCHEDULED),
  HARD_CAP_EXCEEDED(TaskState.FAILED),
  COST_LIMIT_REACHED(TaskState.BLOCKED),
  DEADLINE_PASSED(TaskState.TIMEOUT),
  RUNNING_TOO_LONG(TaskState.TIMEOUT);

  private final TaskState leadsTo;

  AbortReason(TaskState leadsTo) {
    this.leadsTo = leadsTo;
  }

  public TaskState leadsTo() {
    return leadsTo;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<AbortReason> of(String word) {
    for (AbortReason reason : values()) {
      if (reason.word().equals(word)) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }
}
