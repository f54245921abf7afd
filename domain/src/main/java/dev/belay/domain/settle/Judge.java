package dev.belay.domain.settle;

import dev.belay.domain.settle.Verdict.Category;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.ExitMeaning;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Judges how an attempt ended: what the task becomes, and when it is tried again. */
public final class Judge {

  /** The waits before the second, third, ... retry of a lost attempt; the first is at once. */
  private static final List<Duration> LOST_WAITS =
      List.of(
          Duration.ZERO,
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofMinutes(30));

  /** A worker that refused is not asked again at once. */
  private static final Duration REFUSED_WAIT = Duration.ofMillis(500);

  private final RandomGenerator random;

  public Judge(RandomGenerator random) {
    this.random = random;
  }

  /**
   * @param abortReason the reason the server gave for ending this dispatch, if it did
   * @param errors retries after errors so far
   * @param losses retries after losses so far
   */
  public Verdict judge(
      Outcome outcome, RunPolicy policy, @Nullable String abortReason, int errors, int losses) {
    if (outcome instanceof Outcome.Exited exited && exited.code() == 0) {
      return end(TaskState.SUCCEEDED, "exit_code: 0");
    }
    String reason = outcome instanceof Outcome.Aborted aborted ? aborted.reason() : abortReason;
    if (abortReason != null) {
      reason = abortReason;
    }
    if (reason != null) {
      Optional<AbortReason> abort = AbortReason.of(reason);
      if (abort.isPresent()) {
        return end(abort.get().leadsTo(), abort.get().word());
      }
    }
    return switch (outcome) {
      case Outcome.Exited exited -> exited(exited, policy, errors);
      case Outcome.TimedOut timedOut ->
          error(
              TaskState.TIMEOUT,
              "execution_timeout: ran longer than " + timedOut.limit().toMillis() + " ms",
              policy,
              errors);
      case Outcome.Aborted aborted ->
          error(TaskState.FAILED, "aborted: " + aborted.reason(), policy, errors);
      case Outcome.StartFailed failed ->
          error(TaskState.FAILED, "start_failed: " + failed.message(), policy, errors);
      case Outcome.Refused refused ->
          new Verdict(
              TaskState.SCHEDULED, "refused: " + refused.reason(), Category.NONE, REFUSED_WAIT);
      case Outcome.Lost lost -> lost(lost, policy, losses);
    };
  }

  private Verdict exited(Outcome.Exited exited, RunPolicy policy, int errors) {
    ExitMeaning meaning = policy.exitCodes().get(exited.code());
    if (meaning == ExitMeaning.SKIPPED) {
      return end(TaskState.SKIPPED, "exit_code: " + exited.code());
    }
    if (meaning == ExitMeaning.FATAL) {
      return end(TaskState.FAILED, "fatal_exit_code: " + exited.code());
    }
    String reason =
        exited.signal() == 0
            ? "exit_code: " + exited.code()
            : "signal: " + Signals.name(exited.signal());
    return error(TaskState.FAILED, reason, policy, errors);
  }

  private Verdict error(TaskState last, String reason, RunPolicy policy, int errors) {
    if (errors >= policy.retry().max()) {
      return end(last, reason);
    }
    return new Verdict(
        TaskState.PENDING, reason, Category.ERROR, wait(policy.retry().backoff(), errors));
  }

  private static Verdict lost(Outcome.Lost lost, RunPolicy policy, int losses) {
    if (losses >= policy.retry().lostMax()) {
      return end(TaskState.FAILED, lost.reason());
    }
    Duration delay = LOST_WAITS.get(Math.min(losses, LOST_WAITS.size() - 1));
    return new Verdict(TaskState.PENDING, lost.reason(), Category.LOST, delay);
  }

  private Duration wait(RetryPolicy.Backoff backoff, int errors) {
    double millis = backoff.initial().toMillis() * Math.pow(backoff.factor(), errors);
    double capped = Math.min(millis, (double) backoff.max().toMillis());
    double drawn = backoff.jitter() ? capped / 2 + random.nextDouble() * capped / 2 : capped;
    return Duration.ofMillis(Math.round(drawn));
  }

  private static Verdict end(TaskState state, String reason) {
    return new Verdict(state, reason, Category.NONE, Duration.ZERO);
  }
}
