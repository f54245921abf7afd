package dev.belay.engine.loop;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes a loop. Many raises before the loop looks are one. Thread-safe. */
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

  /** Returns when raised since the last call, or when the time is over. */
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

  /** For steps by hand: was it raised since the last look? */
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
