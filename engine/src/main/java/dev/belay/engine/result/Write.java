package dev.belay.engine.result;

import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One guarded write of a task.
 *
 * @param over the attempt is over (the task may be tried again)
 * @param viaRunning it started and ended since the last write: two history rows
 * @param fenceMs how long a strictly fenced attempt may still run somewhere
 * @param startedAtMs when it started, by the database's clock; null when that is not known
 * @param endedAtMs when the attempt ended, likewise
 */
public record Write(
    UUID task,
    UUID dispatch,
    UUID session,
    TaskState from,
    TaskState to,
    boolean over,
    boolean viaRunning,
    @Nullable Long startedAtMs,
    @Nullable Long endedAtMs,
    String reason,
    @Nullable Long waitMs,
    int errorMore,
    int lostMore,
    int crashMore,
    @Nullable Long fenceMs,
    @Nullable Integer exitCode,
    @Nullable Integer signal,
    @Nullable String detail) {

  public Write {
    if (viaRunning) {
      TaskTransitions.require(from, TaskState.RUNNING);
      TaskTransitions.require(TaskState.RUNNING, to);
    } else {
      TaskTransitions.require(from, to);
    }
  }

  /** What came in after the attempt was over. */
  public record Late(UUID dispatch, String outcome) {}
}
