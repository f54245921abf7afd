package dev.belay.domain.id;

import java.util.UUID;

public record DispatchId(UUID value) implements Comparable<DispatchId> {

  public static DispatchId of(String text) {
    return new DispatchId(UUID.fromString(text));
  }

  @Override
  public int compareTo(DispatchId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
