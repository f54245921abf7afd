package dev.belay.server.api;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes requests that wait for a change. This is only a hint: they also poll, because another
 * replica may commit the change. Thread-safe.
 */
public final class Changes {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long count;

  /** Call after committing any change of a task, a run or a log; cheap. */
  public void happened() {
    lock.lock();
    try {
      count++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The number of changes so far. Take it before a read, and {@link #await} misses none. */
  long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Returns after a change since {@code seen}, or when the time is over. */
  void await(long seen, Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      var nanos = atMost.toNanos();
      while (count <= seen && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }
}
