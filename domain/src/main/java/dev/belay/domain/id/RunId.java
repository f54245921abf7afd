package dev.belay.domain.id;

import java.util.UUID;

public record RunId(UUID value) implements Comparable<RunId> {

  public static RunId of(String text) {
    return new RunId(UUID.fromString(text));
  }

  @Override
  public int compareTo(RunId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
