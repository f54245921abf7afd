package dev.belay.domain.id;

import java.util.UUID;

public record DeadLetterId(UUID value) implements Comparable<DeadLetterId> {

  public static DeadLetterId of(String text) {
    return new DeadLetterId(UUID.fromString(text));
  }

  @Override
  public int compareTo(DeadLetterId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
