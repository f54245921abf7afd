package dev.belay.domain.id;

/** Names a task queue. */
public record QueueId(long value) implements Comparable<QueueId> {

  @Override
  public int compareTo(QueueId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
