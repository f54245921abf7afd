package dev.belay.domain.id;

import java.util.UUID;

public record WorkerId(UUID value) implements Comparable<WorkerId> {

  public static WorkerId of(String text) {
    return new WorkerId(UUID.fromString(text));
  }

  @Override
  public int compareTo(WorkerId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
