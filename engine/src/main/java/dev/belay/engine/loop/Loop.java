package dev.belay.engine.loop;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a step repeatedly on its own thread: when signalled, or at the latest after the pause that
 * the step returned. No exception of a step ends the loop; {@link Loops} replaces a thread that
 * died anyway. A step that hangs is only reported, because a second thread could repeat what the
 * first still does.
 */
public final class Loop implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Loop.class);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);
  private static final Duration STOP_MAX = Duration.ofSeconds(10);
  private static final int STACK_MAX = 60;

  private final String name;
  private final Supplier<Duration> step;
  private final Signal signal;
  private final ThreadFactory threads;
  private final LongSupplier ticker;
  private final Duration stepMax;
  private volatile @Nullable Thread thread;
  private volatile boolean stopping;
  private volatile boolean stepping;
  private volatile long steppedAt;
  private volatile int restarts;
  private final FailureLog trouble = new FailureLog(log, "loop step failed");
  private boolean reported;

  Loop(
      String name,
      Supplier<Duration> step,
      Signal signal,
      Duration stepMax,
      ThreadFactory threads,
      LongSupplier ticker) {
    this.name = name;
    this.step = step;
    this.signal = signal;
    this.stepMax = stepMax;
    this.threads = threads;
    this.ticker = ticker;
  }

  /**
   * The state of a loop.
   *
   * @param sinceChange since the current step began, or else since the last one ended
   */
  public record Status(
      String name,
      boolean alive,
      boolean stepping,
      Duration sinceChange,
      int restarts,
      boolean stuck) {

    public boolean isWell() {
      return alive && !stuck;
    }
  }

  public synchronized Loop start() {
    if (thread == null && !stopping) {
      steppedAt = ticker.getAsLong();
      thread = run();
    }
    return this;
  }

  private Thread run() {
    Thread made = threads.newThread(this::steps);
    made.setName(name);
    made.start();
    return made;
  }

  private void steps() {
    while (!stopping) {
      Duration pause = runOnce();
      try {
        signal.await(pause);
      } catch (InterruptedException interrupted) {
        // Only close() ends a loop; the interrupt was meant for the step, which is over.
        log.atDebug().addKeyValue("loop", name).log("interrupted between two steps");
      }
    }
  }

  private Duration runOnce() {
    steppedAt = ticker.getAsLong();
    stepping = true;
    try {
      Duration pause = step.get();
      trouble.over();
      return pause;
    } catch (RuntimeException | Error failed) {
      // Errors too: one poisonous item must not end the loop that all others depend on.
      trouble.met(failed, event -> event.addKeyValue("loop", name));
      return PAUSE_AFTER_FAILURE;
    } finally {
      stepping = false;
      steppedAt = ticker.getAsLong();
    }
  }

  public Status status() {
    Thread now = thread;
    boolean inStep = stepping;
    Duration since = Duration.ofNanos(Math.max(0, ticker.getAsLong() - steppedAt));
    boolean alive = now != null && now.isAlive();
    boolean stuck = alive && inStep && since.compareTo(stepMax) > 0;
    return new Status(name, alive, inStep, since, restarts, stuck);
  }

  /** Replaces a dead thread; reports a hanging one once, with its stack. */
  synchronized void watch() {
    Thread now = thread;
    if (now == null || stopping) {
      return;
    }
    if (!now.isAlive()) {
      stepping = false;
      steppedAt = ticker.getAsLong();
      restarts++;
      log.atError().addKeyValue("loop", name).log("the loop's thread died and is replaced");
      thread = run();
      return;
    }
    boolean stuck = status().stuck();
    if (stuck && !reported) {
      log.atError()
          .addKeyValue("loop", name)
          .addKeyValue("stack", stack(now))
          .log("the loop's step does not end");
    }
    reported = stuck;
  }

  private static String stack(Thread thread) {
    var text = new StringBuilder();
    StackTraceElement[] frames = thread.getStackTrace();
    for (int i = 0; i < Math.min(frames.length, STACK_MAX); i++) {
      text.append("\n  at ").append(frames[i]);
    }
    return text.toString();
  }

  /** Ends after the current step. */
  @Override
  public void close() {
    close(STOP_MAX);
  }

  /**
   * Ends after the current step. Interrupts and leaves behind a step that takes longer.
   *
   * @return whether the loop is over
   */
  public boolean close(Duration atMost) {
    Thread now;
    synchronized (this) {
      stopping = true;
      now = thread;
    }
    signal.raise();
    if (now == null || now.equals(Thread.currentThread())) {
      return true;
    }
    try {
      if (now.join(atMost)) {
        return true;
      }
      now.interrupt();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
