package dev.belay.domain.settle;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.ExitMeaning;
import dev.belay.domain.spec.RunPolicy.OnWorkerLost;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides what a task becomes after an attempt ended, and when it is tried again. */
public final class RetryDecision {

  /**
   * The delays that no workflow file sets.
   *
   * @param crash before the first, second, ... retry after a crash; the last one repeats
   * @param refused before a task is offered again to workers after a refusal
   */
  public record Waits(List<Duration> crash, Duration refused) {
    public static final Waits DEFAULT =
        new Waits(
            List.of(
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofMinutes(15),
                Duration.ofMinutes(30)),
            Duration.ofMillis(500));

    public Waits {
      crash = List.copyOf(crash);
      if (crash.isEmpty()) {
        throw new IllegalArgumentException("at least one wait after a crash");
      }
    }
  }

  /** A loss that counts as a crash: the machine went down with the task, perhaps because of it. */
  public static final String MACHINE_REBOOTED = RecoveryKind.MACHINE_REBOOTED.reason();

  /** An abort that counts as a loss: the worker could not reach the server for a whole lease. */
  public static final String LEASE_EXPIRED = "lease_expired";

  /**
   * An abort that counts as a refusal: the worker's disk is full, so no process outside the worker
   * could enforce the lease. It uses no retry budget; another worker may run the task.
   */
  public static final String LEASE_UNWRITABLE = "lease_unwritable";

  private final RandomGenerator random;
  private final Waits waits;

  public RetryDecision(RandomGenerator random) {
    this(random, Waits.DEFAULT);
  }

  public RetryDecision(RandomGenerator random, Waits waits) {
    this.random = random;
    this.waits = waits;
  }

  /**
   * @param abortReason the server's reason for ending this dispatch, if it asked
   * @param tried retries so far
   */
  public NextState decide(
      Outcome outcome, RunPolicy policy, @Nullable String abortReason, Tries tried) {
    if (outcome.isSuccess()) {
      return end(TaskState.SUCCEEDED, "exit_code: 0");
    }
    String reason = outcome instanceof Outcome.Aborted aborted ? aborted.reason() : abortReason;
    if (abortReason != null) {
      reason = abortReason;
    }
    if (reason != null) {
      Optional<AbortReason> abort = AbortReason.of(reason);
      if (abort.isPresent()) {
        String word = abort.get().word();
        return abort
            .get()
            .endsAs()
            .map(state -> end(state, word))
            .orElseGet(() -> again(word, mayRunOn(outcome, policy)));
      }
    }
    return switch (outcome) {
      case Outcome.Exited exited -> exited(exited, policy, tried);
      case Outcome.TimedOut timedOut ->
          error(
              TaskState.TIMEOUT,
              "execution_timeout: ran longer than " + timedOut.limit().toMillis() + " ms",
              policy,
              tried.errors());
      case Outcome.Aborted(String why) when why.equals(LEASE_EXPIRED) ->
          lost(new Outcome.Lost(why, Duration.ZERO), policy, tried);
      case Outcome.Aborted(String why) when why.equals(LEASE_UNWRITABLE) ->
          again(why, waits.refused());
      case Outcome.Aborted aborted ->
          error(TaskState.FAILED, "aborted: " + aborted.reason(), policy, tried.errors());
      case Outcome.StartFailed failed ->
          error(TaskState.FAILED, "start_failed: " + failed.message(), policy, tried.errors());
      case Outcome.Refused refused -> again("refused: " + refused.reason(), waits.refused());
      case Outcome.Lost lost -> lost(lost, policy, tried);
    };
  }

  /** The task asks for admission at once and uses no retry budget. */
  private static NextState again(String reason, Duration delay) {
    var admitted = Admission.admit(reason);
    return new NextState(admitted.state(), admitted.reason(), Category.NONE, delay);
  }

  private NextState exited(Outcome.Exited exited, RunPolicy policy, Tries tried) {
    ExitMeaning meaning = policy.exitCodes().get(exited.code());
    if (meaning == ExitMeaning.SKIPPED) {
      return end(TaskState.SKIPPED, "exit_code: " + exited.code());
    }
    if (meaning == ExitMeaning.FATAL) {
      return end(TaskState.FAILED, "fatal_exit_code: " + exited.code());
    }
    if (exited.signal() != 0) {
      String why = exited.outOfMemory() ? " (out of memory)" : "";
      return crashed("signal: " + Signals.name(exited.signal()) + why, policy, tried.crashes());
    }
    return error(TaskState.FAILED, "exit_code: " + exited.code(), policy, tried.errors());
  }

  private NextState error(TaskState last, String reason, RunPolicy policy, int errors) {
    if (errors >= policy.retry().max()) {
      return end(last, reason);
    }
    return new NextState(
        TaskState.PENDING, reason, Category.ERROR, wait(policy.retry().backoff(), errors));
  }

  private NextState crashed(String reason, RunPolicy policy, int crashes) {
    return crashes < policy.retry().crashMax()
        ? new NextState(TaskState.PENDING, reason, Category.CRASH, crashWait(crashes))
        : end(TaskState.FAILED, reason);
  }

  private NextState lost(Outcome.Lost lost, RunPolicy policy, Tries tried) {
    if (policy.workerLoss().then() == OnWorkerLost.FAIL) {
      return end(TaskState.FAILED, lost.reason());
    }
    NextState next =
        lost.reason().equals(MACHINE_REBOOTED)
            ? crashed(lost.reason(), policy, tried.crashes())
            : retried(lost.reason(), policy, tried.losses());
    Duration mayRunOn = mayRunOn(lost, policy);
    return next.to().isTerminal() || next.delay().compareTo(mayRunOn) >= 0
        ? next
        : new NextState(next.to(), next.reason(), next.category(), mayRunOn);
  }

  /** The first retry is immediate; later ones wait as after a crash. */
  private NextState retried(String reason, RunPolicy policy, int losses) {
    if (losses >= policy.retry().lostMax()) {
      return end(TaskState.FAILED, reason);
    }
    Duration delay = losses == 0 ? Duration.ZERO : crashWait(losses - 1);
    return new NextState(TaskState.PENDING, reason, Category.LOST, delay);
  }

  /** A strict attempt that may still run delays the next one. */
  private static Duration mayRunOn(Outcome outcome, RunPolicy policy) {
    return outcome instanceof Outcome.Lost lost && policy.isStrict()
        ? lost.mayRunOn()
        : Duration.ZERO;
  }

  private Duration crashWait(int before) {
    return waits.crash().get(Math.min(before, waits.crash().size() - 1));
  }

  private Duration wait(RetryPolicy.Backoff backoff, int errors) {
    double millis = backoff.initial().toMillis() * Math.pow(backoff.factor(), errors);
    double capped = Math.min(millis, (double) backoff.max().toMillis());
    double drawn = backoff.jitter() ? capped / 2 + random.nextDouble() * capped / 2 : capped;
    return Duration.ofMillis(Math.round(drawn));
  }

  private static NextState end(TaskState state, String reason) {
    return new NextState(state, reason, Category.NONE, Duration.ZERO);
  }
}
