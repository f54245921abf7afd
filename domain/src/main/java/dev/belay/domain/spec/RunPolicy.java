package dev.belay.domain.spec;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules that decide what follows the end of an attempt.
 *
 * @param executionTimeout null means none
 */
public record RunPolicy(
    RetryPolicy retry,
    Map<Integer, ExitMeaning> exitCodes,
    @Nullable Duration executionTimeout,
    WorkerLoss workerLoss) {

  public static final Map<Integer, ExitMeaning> EXIT_CODES_DEFAULT =
      Map.of(99, ExitMeaning.SKIPPED);
  public static final RunPolicy DEFAULT =
      new RunPolicy(RetryPolicy.DEFAULT, EXIT_CODES_DEFAULT, null);

  public RunPolicy {
    exitCodes =
        exitCodes.equals(EXIT_CODES_DEFAULT)
            ? EXIT_CODES_DEFAULT
            : Collections.unmodifiableMap(new TreeMap<>(exitCodes));
  }

  public RunPolicy(
      RetryPolicy retry, Map<Integer, ExitMeaning> exitCodes, @Nullable Duration executionTimeout) {
    this(retry, exitCodes, executionTimeout, WorkerLoss.DEFAULT);
  }

  public boolean isStrict() {
    return workerLoss.fencing() == Fencing.STRICT;
  }

  /** What follows when the worker of a task is lost. */
  public record WorkerLoss(OnWorkerLost then, Fencing fencing) {
    public static final WorkerLoss DEFAULT = new WorkerLoss(OnWorkerLost.RETRY, Fencing.TOKEN);
  }

  /** Whether a lost attempt is retried. */
  public enum OnWorkerLost {
    RETRY,
    FAIL
  }

  /** What is guaranteed about a lost attempt when the next one starts. */
  public enum Fencing {
    /** It may still run somewhere, with a lower fencing token. */
    TOKEN,
    /** It has ended, because its lease is over. */
    STRICT
  }

  /** The meaning of an exit code other than 0 that is not an ordinary error. */
  public enum ExitMeaning {
    SKIPPED,
    /** Fails at once, even with retries left. */
    FATAL,
    /** What the task needs is out of reach: retried apart from errors, and at last BLOCKED. */
    UNAVAILABLE
  }
}
