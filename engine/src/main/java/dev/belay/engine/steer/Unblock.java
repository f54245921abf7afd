package dev.belay.engine.steer;

import dev.belay.domain.task.TaskState;

/** The answer to a request to unblock a task. */
public sealed interface Unblock {

  /** It asks for admission again. */
  record Done() implements Unblock {}

  /** It is not BLOCKED, perhaps because another person unblocked or cancelled it first. */
  record Refused(TaskState state) implements Unblock {}

  record NotFound() implements Unblock {}
}
