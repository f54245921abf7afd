package dev.belay.domain.spec;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the end of an attempt is judged.
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

  /** What the loss of a worker means for its task. */
  public record WorkerLoss(OnWorkerLost then, Fencing fencing) {
    public static final WorkerLoss DEFAULT = new WorkerLoss(OnWorkerLost.RETRY, Fencing.TOKEN);
  }

  /** Whether a lost attempt is tried again. */
  public enum OnWorkerLost {
    RETRY,
    FAIL
  }

  /** How surely a lost attempt has ended before the next one starts. */
  public enum Fencing {
    /** It may still run somewhere; its token is lower. */
    TOKEN,
    /** It has ended, by its lease. */
    STRICT
  }

  /** What an exit code other than 0 means when it is not an ordinary error. */
  public enum ExitMeaning {
    SKIPPED,
    /** Fails at once, whatever retries are left. */
    FATAL
  }
}
