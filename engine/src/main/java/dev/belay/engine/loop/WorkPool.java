package dev.belay.engine.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few threads with a bounded queue for CPU-bound work. When a caller abandons its work, the pool
 * interrupts the thread and replaces it, because it may never return. The pool replaces at most
 * {@code strayMax} such threads and shrinks after that. Thread-safe.
 */
public final class WorkPool implements Background, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WorkPool.class);

  private final String name;
  private final Size size;
  private final ThreadFactory threads;
  private final LongSupplier ticker;
  private final Deque<Item> queue = new ArrayDeque<>();
  private int working;
  private int idle;
  private int stray;
  private long refusals;
  private long done;
  private long nanos;
  private boolean closed;

  /**
   * @param queueMax waiting pieces of work
   * @param strayMax abandoned threads that have not returned
   */
  public record Size(int threads, int queueMax, int strayMax) {}

  public record Gauge(
      int busy, int waiting, int stray, long refusals, long done, Duration worked) {}

  /**
   * @param threads daemon platform threads
   * @param ticker monotonic nanoseconds
   */
  public WorkPool(String name, Size size, ThreadFactory threads, LongSupplier ticker) {
    this.name = name;
    this.size = size;
    this.threads = threads;
    this.ticker = ticker;
  }

  @Override
  public synchronized Optional<Ticket> offer(Runnable work) {
    boolean room = queue.size() < size.queueMax() || queue.size() < idle;
    if (closed || !room || (working + idle == 0 && !mayStart())) {
      refusals++;
      return Optional.empty();
    }
    // Queued work already claims the idle threads.
    if (idle <= queue.size() && mayStart()) {
      start();
    }
    var item = new Item(work);
    queue.add(item);
    notify();
    return Optional.of(item);
  }

  public synchronized Gauge gauge() {
    return new Gauge(working, queue.size(), stray, refusals, done, Duration.ofNanos(nanos));
  }

  /** Drops waiting work; running work continues. */
  @Override
  public synchronized void close() {
    closed = true;
    queue.clear();
    notifyAll();
  }

  private boolean mayStart() {
    // The first strayMax stray threads were replaced; each further one costs a thread.
    int lost = Math.max(0, stray - size.strayMax());
    return !closed && working + idle < size.threads() - lost;
  }

  /** Throws an error, and changes nothing, when the machine has no thread left. */
  private void start() {
    Thread thread = threads.newThread(this::work);
    thread.setName("belay-" + name);
    thread.start();
    idle++;
  }

  private void work() {
    Item item = next();
    while (item != null) {
      try {
        item.work.run();
      } catch (Throwable failed) { // this thread must survive anything
        log.atError().addKeyValue("pool", name).setCause(failed).log("background work failed");
      }
      item = end(item) ? next() : null;
    }
  }

  private synchronized @Nullable Item next() {
    while (!closed && queue.isEmpty()) {
      try {
        wait();
      } catch (InterruptedException meantForThePast) {
        // The interrupted work has already ended.
      }
    }
    idle--;
    Item item = queue.poll();
    if (item != null) {
      working++;
      item.begin(Thread.currentThread());
    }
    return item;
  }

  /** Returns whether its thread continues. */
  private synchronized boolean end(Item item) {
    done++;
    nanos += ticker.getAsLong() - item.begunAt;
    item.thread = null;
    if (item.abandoned) {
      stray--;
      Thread.interrupted();
      log.atInfo()
          .addKeyValue("pool", name)
          .addKeyValue("stray", stray)
          .log("stray thread is back");
      if (!mayStart()) {
        return false;
      }
    } else {
      working--;
    }
    idle++;
    return true;
  }

  private final class Item implements Ticket {
    final Runnable work;
    @Nullable Thread thread;
    long begunAt;
    boolean abandoned;

    Item(Runnable work) {
      this.work = work;
    }

    void begin(Thread here) {
      thread = here;
      begunAt = ticker.getAsLong();
    }

    @Override
    public Duration ran() {
      synchronized (WorkPool.this) {
        return thread == null ? Duration.ZERO : Duration.ofNanos(ticker.getAsLong() - begunAt);
      }
    }

    @Override
    public void abandon() {
      synchronized (WorkPool.this) {
        queue.remove(this);
        if (thread == null || abandoned) {
          return;
        }
        abandoned = true;
        working--;
        stray++;
        thread.interrupt();
        log.atWarn()
            .addKeyValue("pool", name)
            .addKeyValue("stray", stray)
            .addKeyValue("stray_max", size.strayMax())
            .log("work was given up; its thread is left behind until it comes back");
        if (!queue.isEmpty() && mayStart()) {
          start();
        }
      }
    }
  }
}
