package dev.belay.domain.id;

import java.util.UUID;

public record BackfillId(UUID value) implements Comparable<BackfillId> {

  public static BackfillId of(String text) {
    return new BackfillId(UUID.fromString(text));
  }

  @Override
  public int compareTo(BackfillId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
