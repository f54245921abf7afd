package dev.belay.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/** What happens when. Time jumps from event to event; events of one instant keep their order. */
final class Scheduler implements InstantSource {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private record Event(long atNanos, long number, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
  private long nowNanos;
  private long number;
  private int depth;

  /** Monotonic, since the beginning. */
  long nanos() {
    return nowNanos;
  }

  @Override
  public Instant instant() {
    return BEGIN.plusNanos(nowNanos);
  }

  void after(Duration delay, Runnable action) {
    events.add(new Event(nowNanos + delay.toNanos(), number++, action));
  }

  /** Runs the next event; false when there is none. */
  boolean step() {
    var event = events.poll();
    if (event == null) {
      return false;
    }
    // an event may have been left behind by what ran inside another one
    nowNanos = Math.max(nowNanos, event.atNanos());
    event.action().run();
    return true;
  }

  /** Lets others act in the middle of the event that runs now, as other threads would. */
  void interleave(Duration within) {
    long until = nowNanos + within.toNanos();
    depth++;
    try {
      for (var next = events.peek();
          next != null && next.atNanos() <= until;
          next = events.peek()) {
        step();
      }
    } finally {
      depth--;
    }
  }

  /** How many events are in the middle of a store call. */
  int depth() {
    return depth;
  }
}
