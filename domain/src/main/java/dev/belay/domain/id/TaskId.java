package dev.belay.domain.id;

import java.util.UUID;

public record TaskId(UUID value) implements Comparable<TaskId> {

  public static TaskId of(String text) {
    return new TaskId(UUID.fromString(text));
  }

  @Override
  public int compareTo(TaskId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
