package dev.belay.domain.reap;

import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.Optional;

/**
 * An active attempt, seen from outside.
 *
 * @param state DISPATCHED or RUNNING
 * @param age since it was committed to its worker
 * @param listened of that, how long there was a replica that could write
 * @param preparing the worker's last heartbeat says that it is being made ready
 * @param ofCurrentSession it is bound to the session that is registered for its worker
 * @param worker empty when its worker was deleted
 */
public record Attempt(
    TaskState state,
    Duration age,
    Duration listened,
    boolean preparing,
    boolean ofCurrentSession,
    Optional<WorkerSign> worker) {

  public Attempt {
    if (!state.isActive()) {
      throw new IllegalArgumentException("not active: " + state);
    }
  }
}
