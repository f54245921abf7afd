package dev.belay.simulation.model;

import dev.belay.domain.id.TaskId;
import java.util.Comparator;

/** Identifies an attempt of a task by its number. */
record NumberInTask(TaskId task, int number) implements Comparable<NumberInTask> {

  private static final Comparator<NumberInTask> ORDER =
      Comparator.comparing(NumberInTask::task).thenComparingInt(NumberInTask::number);

  @Override
  public int compareTo(NumberInTask other) {
    return ORDER.compare(this, other);
  }
}
