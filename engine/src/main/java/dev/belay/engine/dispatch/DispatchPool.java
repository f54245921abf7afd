package dev.belay.engine.dispatch;

import dev.belay.domain.id.TaskId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/**
 * Batches on their way to a claim. Bounded: a full pool refuses, the tasks stay SCHEDULED, and a
 * later tick tries again. The pool remembers only what is under way, so that no tick picks a task
 * twice; the guard of the claim decides. Thread-safe.
 */
public final class DispatchPool {

  private final Executor executor;
  private final int threads;
  private final int queueMax;
  private final Runnable onRoom;
  private final Set<TaskId> tasks = new HashSet<>();
  private int batches;
  private long refusals;
  private boolean moreWaits;

  /**
   * @param threads batches that the executor runs at once
   * @param queueMax batches that wait for a thread
   * @param onRoom called when a claim succeeded and made room, if more tasks wait, and when a round
   *     ended before it found out whether any does
   */
  public DispatchPool(Executor executor, int threads, int queueMax, Runnable onRoom) {
    this.executor = executor;
    this.threads = threads;
    this.queueMax = queueMax;
    this.onRoom = onRoom;
  }

  /**
   * Does nothing and returns false when the pool is full.
   *
   * @param claim returns whether it succeeded; after a failure no hint follows, and the next
   *     regular tick tries again
   */
  boolean offer(List<TaskId> batch, BooleanSupplier claim) {
    synchronized (this) {
      if (!hasRoom()) {
        return false;
      }
      batches++;
      tasks.addAll(batch);
    }
    try {
      executor.execute(
          () -> {
            boolean succeeded = false;
            try {
              succeeded = claim.getAsBoolean();
            } finally {
              leave(batch);
            }
            if (succeeded && moreWaits()) {
              onRoom.run();
            }
          });
      return true;
    } catch (RejectedExecutionException full) {
      leave(batch);
      synchronized (this) {
        refusals++;
      }
      return false;
    } catch (Error failed) {
      leave(batch);
      throw failed;
    }
  }

  private synchronized void leave(List<TaskId> batch) {
    batches--;
    batch.forEach(tasks::remove);
  }

  /** Records whether the last look may have left tasks without a slot. */
  synchronized void moreWaits(boolean waits) {
    moreWaits = waits;
  }

  private synchronized boolean moreWaits() {
    return moreWaits;
  }

  /** Wakes the tick, as a claim that made room does. */
  void lookAgain() {
    onRoom.run();
  }

  synchronized Set<TaskId> underWay() {
    return Set.copyOf(tasks);
  }

  public synchronized int depth() {
    return batches;
  }

  /** How often the pool was full. */
  public synchronized long refusals() {
    return refusals;
  }

  /** How many batches it would take. */
  synchronized int room() {
    return threads + queueMax - batches;
  }

  /** Whether the pool would take a batch; counts a refusal if not. */
  synchronized boolean hasRoom() {
    if (room() <= 0) {
      refusals++;
      return false;
    }
    return true;
  }
}
