package dev.belay.domain.settle;

import dev.belay.domain.task.TaskState;
import java.time.Duration;

/**
 * The next state of a task after an attempt ended.
 *
 * @param reason a word, perhaps with {@code : detail}
 * @param category the retry counter that the attempt used up
 * @param delay how long the next attempt must wait; zero when there is none
 */
public record NextState(TaskState to, String reason, Category category, Duration delay) {

  /** Each category has a separate retry budget. */
  public enum Category {
    NONE,
    ERROR,
    LOST,
    CRASH,
    /** What the task needs was out of reach, as its exit code said. */
    UNAVAILABLE,
    /** A worker took it and could not start a process, through no fault of the task. */
    DISPATCH
  }
}
