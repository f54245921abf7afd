package dev.belay.engine.loop;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a step for ever on a thread of its own: when signalled, and at the latest when the step's
 * own pause is over. Nothing that a step throws ends the loop.
 */
public final class Loop implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Loop.class);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);
  private static final Duration STOP_MAX = Duration.ofSeconds(10);

  private final String name;
  private final Supplier<Duration> step;
  private final Signal signal;
  private final Thread thread;
  private volatile boolean stopping;

  /**
   * @param step does its work once and says how long it may sleep without a signal
   */
  public Loop(String name, Supplier<Duration> step, Signal signal, ThreadFactory threads) {
    this.name = name;
    this.step = step;
    this.signal = signal;
    this.thread = threads.newThread(this::run);
    this.thread.setName(name);
  }

  public Loop start() {
    thread.start();
    return this;
  }

  private void run() {
    while (!stopping) {
      try {
        signal.await(runOnce());
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private Duration runOnce() {
    try {
      return step.get();
    } catch (RuntimeException | Error failed) {
      // An Error too: one poisonous item must not end the loop that every other item depends on.
      log.atError().addKeyValue("loop", name).setCause(failed).log("loop step failed");
      return PAUSE_AFTER_FAILURE;
    }
  }

  /** Ends after the current step. */
  @Override
  public void close() {
    stopping = true;
    signal.raise();
    try {
      if (!thread.join(STOP_MAX)) {
        thread.interrupt();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
