package dev.belay.engine.steer;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The answer to a request to end a task for a reason. */
public sealed interface Terminate {

  /** It was idle, and is in this state now. */
  record Done(TaskState state) implements Terminate {}

  /** Its worker is told to end this dispatch. */
  record Asked(DispatchId dispatch) implements Terminate {}

  /**
   * Somebody asked before. That reason stands.
   *
   * @param by null when that is not known; the time likewise
   */
  record AlreadyAsked(
      DispatchId dispatch, AbortReason reason, @Nullable String by, @Nullable Instant at)
      implements Terminate {}

  /** It is idle, and the reason concerns only a task that a worker holds. */
  record NothingToDo(TaskState state) implements Terminate {}

  /** It had already reached this terminal state. */
  record AlreadyOver(TaskState state) implements Terminate {}

  record NotFound() implements Terminate {}
}
