package dev.belay.server.api;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes requests that wait for a change. A hint only: they poll as well, because a change may be
 * committed by another replica. Thread-safe.
 */
public final class Changes {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long count;

  /** To be called after the commit of any change of a task, a run or a log; cheap. */
  public void happened() {
    lock.lock();
    try {
      count++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many changes there were; taken before reading, it makes {@link #await} miss none. */
  long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Returns when there were changes after {@code seen}, or when the time is over. */
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
