package dev.belay.domain.id;

import java.util.UUID;

public record TriggerVersionId(UUID value) implements Comparable<TriggerVersionId> {

  public static TriggerVersionId of(String text) {
    return new TriggerVersionId(UUID.fromString(text));
  }

  @Override
  public int compareTo(TriggerVersionId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
