package dev.belay.engine.loop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * All loops of a process and their watcher: it replaces a loop's dead thread and reports a step
 * that does not end. The watcher is one of the loops, so its own death is visible too. Thread-safe.
 */
public final class Loops implements AutoCloseable {

  private static final Duration WATCH = Duration.ofSeconds(1);

  private final ThreadFactory threads;
  private final LongSupplier ticker;
  private final Duration stepMax;
  private final List<Loop> all = new CopyOnWriteArrayList<>();
  private final Loop watcher;

  /**
   * @param ticker monotonic nanoseconds
   * @param stepMax a step that takes longer is stuck
   */
  public Loops(ThreadFactory threads, LongSupplier ticker, Duration stepMax) {
    this.threads = threads;
    this.ticker = ticker;
    this.stepMax = stepMax;
    this.watcher = make("watch", this::watchAll, new Signal(), stepMax);
  }

  /**
   * A loop that is not started yet.
   *
   * @param step works once and returns how long it may sleep without a signal
   */
  public Loop make(String name, Supplier<Duration> step, Signal signal) {
    return make(name, step, signal, stepMax);
  }

  /**
   * @param longStepMax for a loop whose steps may take longer
   */
  public Loop make(String name, Supplier<Duration> step, Signal signal, Duration longStepMax) {
    var loop = new Loop(name, step, signal, longStepMax, threads, ticker);
    all.add(loop);
    return loop;
  }

  public Loops start() {
    watcher.start();
    return this;
  }

  /** The watcher's step. */
  public void watchOnce() {
    all.forEach(Loop::watch);
  }

  private Duration watchAll() {
    watchOnce();
    return WATCH;
  }

  public List<Loop.Status> statuses() {
    return all.stream().map(Loop::status).toList();
  }

  public long restarts() {
    return all.stream().mapToLong(loop -> loop.status().restarts()).sum();
  }

  /** Ends every remaining loop, the watcher first. */
  @Override
  public void close() {
    watcher.close();
    all.forEach(Loop::close);
  }
}
