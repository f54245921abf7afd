package dev.belay.domain.reap;

import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.Optional;

/**
 * An active attempt as the reaper sees it.
 *
 * @param state DISPATCHED or RUNNING
 * @param age since the dispatch committed
 * @param listened the part of {@code age} in which some replica could write
 * @param preparing the worker's last heartbeat lists it as preparing
 * @param ofCurrentSession its session is the one registered for its worker
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
