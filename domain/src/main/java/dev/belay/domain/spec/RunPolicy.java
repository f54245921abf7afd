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
    WorkerLoss workerLoss,
    Stopping stopping) {

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

  public RunPolicy(
      RetryPolicy retry,
      Map<Integer, ExitMeaning> exitCodes,
      @Nullable Duration executionTimeout,
      WorkerLoss workerLoss) {
    this(retry, exitCodes, executionTimeout, workerLoss, Stopping.DEFAULT);
  }

  public boolean isStrict() {
    return workerLoss.fencing() == Fencing.STRICT;
  }

  /**
   * When the worker stops a silent attempt, and how it stops any attempt.
   *
   * @param stallTimeout how long the process may show no sign of life; null means without a limit
   * @param stopGrace from SIGTERM to SIGKILL; null means as the worker or the server is set
   */
  public record Stopping(@Nullable Duration stallTimeout, @Nullable Duration stopGrace) {
    public static final Stopping DEFAULT = new Stopping(null, null);

    /** A worker looks for signs of life a few times a second. */
    public static final Duration STALL_TIMEOUT_MIN = Duration.ofSeconds(1);

    public static final Duration STOP_GRACE_MAX = Duration.ofHours(1);
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
