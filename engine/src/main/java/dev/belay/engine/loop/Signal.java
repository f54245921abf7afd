package dev.belay.engine.loop;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes a loop. Raises between two looks of the loop count once. Thread-safe. */
public final class Signal {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition raised = lock.newCondition();
  private boolean pending;

  public void raise() {
    lock.lock();
    try {
      pending = true;
      raised.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when raised since the last call, or after the given time. */
  public void await(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long nanos = atMost.toNanos();
      while (!pending && nanos > 0) {
        nanos = raised.awaitNanos(nanos);
      }
      pending = false;
    } finally {
      lock.unlock();
    }
  }

  /** For stepping by hand: whether it was raised since the last look. */
  public boolean take() {
    lock.lock();
    try {
      boolean was = pending;
      pending = false;
      return was;
    } finally {
      lock.unlock();
    }
  }
}
