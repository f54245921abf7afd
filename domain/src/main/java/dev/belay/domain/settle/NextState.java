package dev.belay.domain.settle;

import dev.belay.domain.task.TaskState;
import java.time.Duration;

/**
 * Where the task goes after an attempt ended.
 *
 * @param reason a word, perhaps with {@code : detail}
 * @param category whose retry counter the attempt used up
 * @param delay how long the next attempt must wait; zero when there is none
 */
public record NextState(TaskState to, String reason, Category category, Duration delay) {

  /** Each has its own budget. */
  public enum Category {
    NONE,
    ERROR,
    LOST,
    CRASH
  }
}
