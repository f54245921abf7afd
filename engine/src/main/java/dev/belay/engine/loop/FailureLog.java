package dev.belay.engine.loop;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs a failure that may repeat, as everything fails while the database is down: the first of each
 * kind with its stack, then the 2nd, 4th, 8th ... in one line, and once that it is over. A
 * connection that is refused or lost has no stack worth reading. Thread-safe.
 */
public final class FailureLog {

  private static final long UNTOLD_MAX = 1_024;
  private static final int KINDS_MAX = 8;
  private static final int CAUSES_MAX = 20;

  private final Logger log;
  private final String what;
  private final Set<String> kinds = new HashSet<>();
  private volatile long failures;

  /**
   * @param what the log message
   */
  public FailureLog(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  public void met(Throwable failure) {
    met(failure, event -> event);
  }

  /**
   * @param details adds key-values to the log event
   */
  public synchronized void met(Throwable failure, UnaryOperator<LoggingEventBuilder> details) {
    long count = ++failures;
    Throwable root = root(failure);
    boolean isNew =
        kinds.size() < KINDS_MAX
            && kinds.add(failure.getClass().getName() + " " + root.getClass().getName());
    boolean isDue = Long.bitCount(count) == 1 || count % UNTOLD_MAX == 0;
    if (isNew || isDue) {
      var event = details.apply(log.atWarn().addKeyValue("failures", count));
      boolean stack = isNew && !(root instanceof IOException);
      (stack ? event.setCause(failure) : event.addKeyValue("why", root.toString())).log(what);
    }
  }

  /** Call after each success. */
  public void over() {
    if (failures == 0) {
      return;
    }
    synchronized (this) {
      if (failures > 0) {
        log.atInfo().addKeyValue("trouble", what).addKeyValue("failures", failures).log("over");
        failures = 0;
        kinds.clear();
      }
    }
  }

  private static Throwable root(Throwable failure) {
    Throwable root = failure;
    for (int i = 0; i < CAUSES_MAX && root.getCause() != null; i++) {
      root = root.getCause();
    }
    return root;
  }
}
