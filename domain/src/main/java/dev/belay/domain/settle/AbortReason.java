package dev.belay.domain.settle;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.task.TaskState;
import java.util.Locale;
import java.util.Optional;

/**
 * Why an attempt was asked to end. The first reason of an attempt stays, and decides what the task
 * becomes unless the attempt succeeds.
 */
public enum AbortReason {
  /** A person no longer wants the task. */
  CANCELLED,
  /** A newer task wants its place in a concurrency key, or it found none itself. */
  CONCURRENCY_KEY,
  /** A person says how it ended. A process that has succeeded by itself did so. */
  MARKED_SUCCEEDED,
  MARKED_FAILED,
  /** A person parks it. */
  BLOCKED,
  /** The worker shuts down; the task runs elsewhere. */
  GRACEFUL_SHUTDOWN,
  /** It yields its slot to a task of higher priority. */
  COOPERATIVE_PREEMPTION,
  /** It was asked to yield, and did not in time. */
  PREEMPTION_TIMEOUT,
  /** All its attempts together ran for too long. */
  HARD_CAP_EXCEEDED,
  /** It cost as much as it may. */
  COST_LIMIT_REACHED,
  DEADLINE_PASSED,
  RUNNING_TOO_LONG,
  /** Its run was RUNNING for longer than it may. */
  RUN_TIMEOUT;

  /** What the task becomes when the attempt ends without success. */
  public TaskState leadsTo() {
    return switch (this) {
      case CANCELLED, CONCURRENCY_KEY -> TaskState.CANCELLED;
      case GRACEFUL_SHUTDOWN, COOPERATIVE_PREEMPTION, PREEMPTION_TIMEOUT ->
          Admission.admit(word()).state();
      case MARKED_SUCCEEDED -> TaskState.SUCCEEDED;
      case MARKED_FAILED, HARD_CAP_EXCEEDED -> TaskState.FAILED;
      case BLOCKED, COST_LIMIT_REACHED -> TaskState.BLOCKED;
      case DEADLINE_PASSED, RUNNING_TOO_LONG, RUN_TIMEOUT -> TaskState.TIMEOUT;
    };
  }

  /** The task keeps its admission and its retries, and runs again. */
  public boolean givesBack() {
    return leadsTo() == TaskState.SCHEDULED;
  }

  /** What a task without an attempt becomes at once; empty when there is nothing to do. */
  public Optional<TaskState> appliesTo(TaskState idle) {
    return switch (this) {
      case CANCELLED, CONCURRENCY_KEY, HARD_CAP_EXCEEDED, DEADLINE_PASSED, RUN_TIMEOUT ->
          Optional.of(leadsTo());
      case COST_LIMIT_REACHED ->
          idle == TaskState.PENDING || idle == TaskState.SCHEDULED
              ? Optional.of(leadsTo())
              : Optional.empty();
      case GRACEFUL_SHUTDOWN,
          COOPERATIVE_PREEMPTION,
          PREEMPTION_TIMEOUT,
          RUNNING_TOO_LONG,
          MARKED_SUCCEEDED,
          MARKED_FAILED,
          BLOCKED ->
          Optional.empty();
    };
  }

  /** A person may name it in a terminate. The others belong to the reaper, or to mark and block. */
  public boolean isForPeople() {
    return switch (this) {
      case CANCELLED,
          GRACEFUL_SHUTDOWN,
          COOPERATIVE_PREEMPTION,
          PREEMPTION_TIMEOUT,
          HARD_CAP_EXCEEDED,
          COST_LIMIT_REACHED ->
          true;
      case CONCURRENCY_KEY,
          DEADLINE_PASSED,
          RUNNING_TOO_LONG,
          RUN_TIMEOUT,
          MARKED_SUCCEEDED,
          MARKED_FAILED,
          BLOCKED ->
          false;
    };
  }

  /** A task that ends for it raises an alert, which is named after it. */
  public boolean raisesAlert() {
    return this == HARD_CAP_EXCEEDED;
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
