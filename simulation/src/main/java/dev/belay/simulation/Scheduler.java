package dev.belay.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The event queue. Time jumps from event to event; events of one instant keep their order. */
final class Scheduler implements InstantSource {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private record Event(long atNanos, long number, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
  private Runnable afterEach = () -> {};
  private @Nullable Throwable thrown;
  private boolean stopped;
  private long nowNanos;
  private long number;
  private long steps;
  private long stepsMax;
  private int depth;

  /** Monotonic, since the start. */
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

  /** Limits the number of events; zero means no limit. */
  void endAfter(long events) {
    stepsMax = events;
  }

  /** Runs after each event, including one that ran inside another. */
  void afterEach(Runnable look) {
    afterEach = look;
  }

  /**
   * Runs the next event; false when there is none. The first event that throws is the last. Its
   * exception is kept here, because surrounding code under test may catch it.
   */
  boolean step() {
    var event = stopped || isUsedUp() ? null : events.poll();
    if (event == null) {
      return false;
    }
    // events inside another one may have passed this event's time
    nowNanos = Math.max(nowNanos, event.atNanos());
    steps++;
    try {
      event.action().run();
      afterEach.run();
    } catch (RuntimeException | Error failed) {
      if (thrown == null) {
        thrown = failed;
      }
      stopped = true;
    }
    return true;
  }

  boolean isUsedUp() {
    return stepsMax > 0 && steps >= stepsMax;
  }

  void stop() {
    stopped = true;
  }

  @Nullable Throwable thrown() {
    return thrown;
  }

  long steps() {
    return steps;
  }

  /** Lets other events run in the middle of the current one, as other threads would. */
  void interleave(Duration within) {
    long until = nowNanos + within.toNanos();
    depth++;
    try {
      for (var next = events.peek();
          next != null && next.atNanos() <= until;
          next = events.peek()) {
        if (!step()) {
          return;
        }
      }
      nowNanos = Math.max(nowNanos, until);
    } finally {
      depth--;
    }
  }

  /** How many events are in the middle of a store call. */
  int depth() {
    return depth;
  }
}
