package dev.belay.domain.settle;

import dev.belay.domain.task.TaskState;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a dispatch was asked to end, and the state that follows. The first reason wins. */
public enum AbortReason {
  CANCELLED(TaskState.CANCELLED),
  /** A person says how it ended. A process that has succeeded by itself did so. */
  MARKED_SUCCEEDED(TaskState.SUCCEEDED),
  MARKED_FAILED(TaskState.FAILED),
  /** A person parks it. */
  BLOCKED(TaskState.BLOCKED),
  /** The worker shuts down; the task runs elsewhere. */
  GRACEFUL_SHUTDOWN(null),
  DEADLINE_PASSED(TaskState.TIMEOUT),
  RUNNING_TOO_LONG(TaskState.TIMEOUT);

  private final @Nullable TaskState endsAs;

  AbortReason(@Nullable TaskState endsAs) {
    this.endsAs = endsAs;
  }

  /** Empty when the task asks for admission again instead of ending. */
  public Optional<TaskState> endsAs() {
    return Optional.ofNullable(endsAs);
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
