package dev.belay.domain.id;

import java.util.UUID;

public record EventId(UUID value) implements Comparable<EventId> {

  public static EventId of(String text) {
    return new EventId(UUID.fromString(text));
  }

  @Override
  public int compareTo(EventId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
