package dev.belay.server.api;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Lets requests wait without holding an event loop thread or a connection. */
final class Waiting {

  /** A waiting request reads at most this often, however many changes there are. */
  private static final Duration READ_INTERVAL_MIN = Duration.ofMillis(20);

  private static final Duration PAUSE_FIRST = Duration.ofMillis(50);
  private static final Duration PAUSE_MAX = Duration.ofMillis(500);

  private final Changes changes;
  private final LongSupplier ticker;
  private final int waitersMax;
  private final Semaphore waiters;

  /**
   * @param waitersMax requests that may wait or stream at once
   * @param ticker monotonic nanoseconds
   */
  Waiting(Changes changes, int waitersMax, LongSupplier ticker) {
    this.changes = changes;
    this.waitersMax = waitersMax;
    this.waiters = new Semaphore(waitersMax);
    this.ticker = ticker;
  }

  /** Takes one of the places for waiting requests; close frees it. */
  Place enter() {
    if (!waiters.tryAcquire()) {
      throw new Refused(
          Problem.busy("Too many requests wait or follow logs at once; try again in a moment."));
    }
    return new Place();
  }

  int waiting() {
    return waitersMax - waiters.availablePermits();
  }

  /**
   * Reads until the value is enough, the time is over, or the caller hangs up; returns the last.
   */
  <T> T until(Call call, Duration atMost, Supplier<T> read, Predicate<T> enough) {
    if (atMost.isZero()) {
      return read.get();
    }
    try (var _ = enter()) {
      call.allow(atMost);
      var pause = new Pause();
      var deadline = ticker.getAsLong() + atMost.toNanos();
      while (true) {
        var seen = changes.count();
        var value = read.get();
        var left = deadline - ticker.getAsLong();
        if (enough.test(value) || left <= 0 || call.isGone()) {
          return value;
        }
        pause.take(seen, Duration.ofNanos(left));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused(Problem.busy("The server is stopping; try again in a moment."));
    }
  }

  /** The growing pauses of one waiting request. */
  final class Pause {
    private Duration next = PAUSE_FIRST;

    void reset() {
      next = PAUSE_FIRST;
    }

    long seen() {
      return changes.count();
    }

    void take(long seen, Duration atMost) throws InterruptedException {
      var started = ticker.getAsLong();
      changes.await(seen, next.compareTo(atMost) < 0 ? next : atMost);
      var early = READ_INTERVAL_MIN.minusNanos(ticker.getAsLong() - started);
      if (early.isPositive() && early.compareTo(atMost) < 0) {
        Thread.sleep(early);
      }
      var longer = next.multipliedBy(3).dividedBy(2);
      next = longer.compareTo(PAUSE_MAX) < 0 ? longer : PAUSE_MAX;
    }
  }

  /** A place taken by one waiting request. */
  final class Place implements AutoCloseable {
    @Override
    public void close() {
      waiters.release();
    }
  }
}
