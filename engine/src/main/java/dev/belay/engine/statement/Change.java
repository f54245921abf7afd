package dev.belay.engine.statement;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One guarded change of a task, derived from the result of its attempt.
 *
 * @param end null when the attempt only started
 */
public record Change(
    Guard guard, TaskState to, String reason, Times times, @Nullable AttemptEnd end) {

  public Change {
    if (end != null && end.viaRunning()) {
      TaskTransitions.require(guard.from(), TaskState.RUNNING);
      TaskTransitions.require(TaskState.RUNNING, to);
    } else {
      TaskTransitions.require(guard.from(), to);
    }
  }

  /** The expected state of the task. */
  public record Guard(TaskId task, DispatchId dispatch, SessionId session, TaskState from) {}

  /** Start and end of the attempt in milliseconds of the database's clock; null when unknown. */
  public record Times(@Nullable Long startedMs, @Nullable Long endedMs) {
    public static final Times UNKNOWN = new Times(null, null);
  }

  /**
   * The end of the attempt; the task may be retried.
   *
   * @param viaRunning it started and ended since the last change: two history rows
   * @param delay until it may be retried; null when it waits for no time
   * @param counted the retry counter that it used up
   * @param mayRunOn how long a strict attempt may still run somewhere
   * @param askedBy who asked for this end; null when nobody did, or it is not known
   */
  public record AttemptEnd(
      boolean viaRunning,
      @Nullable Duration delay,
      Category counted,
      @Nullable Duration mayRunOn,
      Exit exit,
      @Nullable String askedBy) {}

  /** How its process ended, if there was one. */
  public record Exit(@Nullable Integer code, @Nullable Integer signal, @Nullable String detail) {
    public static final Exit UNKNOWN = new Exit(null, null, null);
  }

  public static Change started(Guard guard, Times times) {
    return new Change(guard, TaskState.RUNNING, "started", times, null);
  }

  public boolean isOver() {
    return end != null;
  }

  public boolean isViaRunning() {
    return end != null && end.viaRunning();
  }

  public boolean waits() {
    return end != null && end.delay() != null;
  }

  public @Nullable String askedBy() {
    return end == null ? null : end.askedBy();
  }

  public Exit exit() {
    return end == null ? Exit.UNKNOWN : end.exit();
  }

  /** One if it used up this counter, else zero. */
  public int counts(Category category) {
    return end != null && end.counted() == category ? 1 : 0;
  }
}
