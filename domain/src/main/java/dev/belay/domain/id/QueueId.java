package dev.belay.domain.id;

/** Names a task queue. */
public record QueueId(int value) implements Comparable<QueueId> {

  @Override
  public int compareTo(QueueId other) {
    return Integer.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
