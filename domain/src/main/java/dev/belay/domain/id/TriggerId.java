package dev.belay.domain.id;

import java.util.UUID;

public record TriggerId(UUID value) implements Comparable<TriggerId> {

  public static TriggerId of(String text) {
    return new TriggerId(UUID.fromString(text));
  }

  @Override
  public int compareTo(TriggerId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
