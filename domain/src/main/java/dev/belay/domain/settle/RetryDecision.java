package dev.belay.domain.settle;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.settle.RetryCondition.Failure;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.OnWorkerLost;
import dev.belay.domain.spec.Template;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.Arrays;
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
   * @param unavailable the same, when what the task needs was out of reach
   * @param refused before a task is offered again to workers after a refusal
   * @param start when a worker could not start a process
   */
  public record Waits(
      List<Duration> crash, List<Duration> unavailable, Duration refused, StartBackoff start) {
    public static final Waits DEFAULT =
        new Waits(
            minutes(1, 5, 15, 30),
            minutes(2, 5, 10, 15),
            Duration.ofMillis(500),
            StartBackoff.DEFAULT);

    public Waits {
      crash = List.copyOf(crash);
      unavailable = List.copyOf(unavailable);
      if (crash.isEmpty() || unavailable.isEmpty()) {
        throw new IllegalArgumentException("a schedule has at least one wait");
      }
    }

    private static List<Duration> minutes(long... minutes) {
      return Arrays.stream(minutes).mapToObj(Duration::ofMinutes).toList();
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

  /** The reason of a task whose worker could not start a process; details follow. */
  public static final String DISPATCH_FAILED = DeadLetterReason.DISPATCH_FAILED.word();

  private final RandomGenerator random;
  private final Waits waits;
  private final RetryCondition condition;

  public RetryDecision(RandomGenerator random) {
    this(random, Waits.DEFAULT, RetryCondition.NONE);
  }

  public RetryDecision(RandomGenerator random, Waits waits, RetryCondition condition) {
    this.random = random;
    this.waits = waits;
    this.condition = condition;
  }

  /**
   * @param abortReason the server's reason for ending this dispatch, if it asked
   * @param tried how often so far
   */
  public NextState decide(
      Outcome outcome, RunPolicy policy, @Nullable String abortReason, Tries tried) {
    if (outcome.isSuccess()) {
      return end(TaskState.SUCCEEDED, "exit_code: 0");
    }
    Optional<AbortReason> abort = abort(outcome, abortReason);
    if (abort.isPresent()) {
      return aborted(abort.get(), mayRunOn(outcome, policy));
    }
    return switch (outcome) {
      case Outcome.Exited exited -> exited(exited, policy, tried);
      case Outcome.TimedOut timedOut ->
          failed(
              Failed.error(
                  TaskState.TIMEOUT,
                  "execution_timeout: ran longer than " + timedOut.limit().toMillis() + " ms"),
              policy,
              tried);
      case Outcome.Stalled stalled ->
          failed(
              Failed.error(
                  TaskState.TIMEOUT,
                  "stalled: no output for " + stalled.limit().toMillis() + " ms"),
              policy,
              tried);
      case Outcome.Aborted(String why) when why.equals(LEASE_EXPIRED) ->
          lost(new Outcome.Lost(why, Duration.ZERO), policy, tried);
      case Outcome.Aborted(String why) when why.equals(LEASE_UNWRITABLE) ->
          again(why, waits.refused());
      case Outcome.Aborted aborted ->
          failed(Failed.error(TaskState.FAILED, "aborted: " + aborted.reason()), policy, tried);
      case Outcome.StartFailed failed ->
          failed(
              Failed.error(TaskState.FAILED, "start_failed: " + failed.message()), policy, tried);
      case Outcome.Refused refused when refused.isExecutorDown() ->
          dispatchFailed(refused, tried.dispatchFailures());
      case Outcome.Refused refused -> again("refused: " + refused.reason(), waits.refused());
      case Outcome.Lost lost -> lost(lost, policy, tried);
    };
  }

  /**
   * The server's request decides, however the attempt ended. A worker may also end one by itself,
   * as when it shuts down.
   */
  private static Optional<AbortReason> abort(Outcome outcome, @Nullable String asked) {
    if (asked != null) {
      return AbortReason.of(asked);
    }
    return outcome instanceof Outcome.Aborted(String reason)
        ? AbortReason.of(reason)
        : Optional.empty();
  }

  private static NextState aborted(AbortReason abort, Duration mayRunOn) {
    return abort.givesBack() ? again(abort.word(), mayRunOn) : end(abort.leadsTo(), abort.word());
  }

  /** The task asks for admission at once and uses no retry budget. */
  private static NextState again(String reason, Duration delay) {
    var admitted = Admission.admit(reason);
    return new NextState(admitted.state(), admitted.reason(), Category.NONE, delay);
  }

  /**
   * The executor's fault, not the task's: it keeps its admission and its retries, and is tried
   * again, here or elsewhere. After many failures it is given up.
   */
  private NextState dispatchFailed(Outcome.Refused refused, int before) {
    String reason = DISPATCH_FAILED + ": " + refused.reason();
    if (waits.start().isLast(before)) {
      return end(TaskState.FAILED, reason);
    }
    var admitted = Admission.admit(reason);
    return new NextState(
        admitted.state(), admitted.reason(), Category.DISPATCH, waits.start().wait(before, random));
  }

  private NextState exited(Outcome.Exited exited, RunPolicy policy, Tries tried) {
    int code = exited.code();
    return switch (policy.exitCodes().get(code)) {
      case SKIPPED -> end(TaskState.SKIPPED, "exit_code: " + code);
      case FATAL -> end(TaskState.FAILED, "fatal_exit_code: " + code);
      case UNAVAILABLE ->
          failed(
              new Failed(
                  Category.UNAVAILABLE, "unavailable: exit_code " + code, TaskState.BLOCKED, code),
              policy,
              tried);
      case null ->
          failed(exited.signal() == 0 ? Failed.exited(code) : killed(exited), policy, tried);
    };
  }

  private static Failed killed(Outcome.Exited exited) {
    String why = exited.outOfMemory() ? " (out of memory)" : "";
    return new Failed(
        Category.CRASH,
        "signal: " + Signals.name(exited.signal()) + why,
        TaskState.FAILED,
        exited.code());
  }

  private NextState lost(Outcome.Lost lost, RunPolicy policy, Tries tried) {
    if (policy.workerLoss().then() == OnWorkerLost.FAIL) {
      return end(TaskState.FAILED, lost.reason());
    }
    Category category = lost.reason().equals(MACHINE_REBOOTED) ? Category.CRASH : Category.LOST;
    NextState next =
        failed(
            new Failed(category, lost.reason(), TaskState.FAILED, Failure.NO_EXIT_CODE),
            policy,
            tried);
    Duration mayRunOn = mayRunOn(lost, policy);
    return next.to().isTerminal() || next.delay().compareTo(mayRunOn) >= 0
        ? next
        : new NextState(next.to(), next.reason(), next.category(), mayRunOn);
  }

  /**
   * A failed attempt.
   *
   * @param last what the task becomes without another retry
   */
  private record Failed(Category category, String reason, TaskState last, int exitCode) {
    static Failed error(TaskState last, String reason) {
      return new Failed(Category.ERROR, reason, last, Failure.NO_EXIT_CODE);
    }

    static Failed exited(int code) {
      return new Failed(Category.ERROR, "exit_code: " + code, TaskState.FAILED, code);
    }

    Failed because(String more) {
      return new Failed(category, reason + "; " + more, last, exitCode);
    }
  }

  /** Retries it as long as its category has retries left and the condition holds. */
  private NextState failed(Failed failed, RunPolicy policy, Tries tried) {
    Budget budget = budget(failed.category(), policy.retry(), tried);
    if (budget.used() >= budget.max()) {
      return end(failed.last(), failed.reason());
    }
    Template onlyIf = policy.retry().onlyIf();
    if (onlyIf == null) {
      return retried(failed, budget, policy.retry());
    }
    try {
      return condition.holds(onlyIf, facts(failed, tried))
          ? retried(failed, budget, policy.retry())
          : end(failed.last(), failed.because("retry.if is false").reason());
    } catch (ExpressionFailed hasNoValue) {
      return retried(
          failed.because("retry.if failed: " + hasNoValue.getMessage()), budget, policy.retry());
    }
  }

  private static Failure facts(Failed failed, Tries tried) {
    return new Failure(failed.exitCode(), failed.reason(), tried.attempt(), failed.category());
  }

  /** The retries of one category. */
  private record Budget(int used, int max) {}

  private static Budget budget(Category category, RetryPolicy retry, Tries tried) {
    return switch (category) {
      case ERROR -> new Budget(tried.errors(), retry.max());
      case LOST -> new Budget(tried.losses(), retry.lostMax());
      case CRASH -> new Budget(tried.crashes(), retry.crashMax());
      case UNAVAILABLE -> new Budget(tried.unavailables(), retry.unavailableMax());
      case DISPATCH, NONE -> throw new IllegalArgumentException("a failure has a category");
    };
  }

  private NextState retried(Failed failed, Budget budget, RetryPolicy retry) {
    int used = budget.used();
    Duration delay =
        switch (failed.category()) {
          case ERROR -> wait(retry.backoff(), used);
          // The first retry is immediate; later ones wait as after a crash.
          case LOST -> used == 0 ? Duration.ZERO : at(waits.crash(), used - 1);
          case CRASH -> at(waits.crash(), used);
          case UNAVAILABLE -> at(waits.unavailable(), used);
          case DISPATCH, NONE -> throw new IllegalArgumentException("a retry has a category");
        };
    return new NextState(TaskState.PENDING, failed.reason(), failed.category(), delay);
  }

  /** A strict attempt that may still run delays the next one. */
  private static Duration mayRunOn(Outcome outcome, RunPolicy policy) {
    return outcome instanceof Outcome.Lost lost && policy.isStrict()
        ? lost.mayRunOn()
        : Duration.ZERO;
  }

  private static Duration at(List<Duration> schedule, int before) {
    return schedule.get(Math.min(before, schedule.size() - 1));
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
