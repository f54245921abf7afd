package dev.belay.domain.id;

import java.util.UUID;

/** Identifies a bulk operation. */
public record BulkId(UUID value) implements Comparable<BulkId> {

  @Override
  public int compareTo(BulkId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
