package dev.belay.domain.id;

import java.util.UUID;

public record SessionId(UUID value) implements Comparable<SessionId> {

  public static SessionId of(String text) {
    return new SessionId(UUID.fromString(text));
  }

  @Override
  public int compareTo(SessionId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
