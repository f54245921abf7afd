package dev.belay.domain.spec;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the end of an attempt is judged.
 *
 * @param executionTimeout null means none
 */
public record RunPolicy(
    RetryPolicy retry, Map<Integer, ExitMeaning> exitCodes, @Nullable Duration executionTimeout) {

  public static final Map<Integer, ExitMeaning> EXIT_CODES_DEFAULT =
      Map.of(99, ExitMeaning.SKIPPED);
  public static final RunPolicy DEFAULT =
      new RunPolicy(RetryPolicy.DEFAULT, EXIT_CODES_DEFAULT, null);

  public RunPolicy {
    exitCodes = java.util.Collections.unmodifiableMap(new TreeMap<>(exitCodes));
  }

  /** What an exit code other than 0 means when it is not an ordinary error. */
  public enum ExitMeaning {
    SKIPPED,
    /** Fails at once, whatever retries are left. */
    FATAL
  }
}
