package dev.belay.domain.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.settle.RetryCondition.Failure;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RetryPolicy.Backoff;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.ExitMeaning;
import dev.belay.domain.spec.RunPolicy.Fencing;
import dev.belay.domain.spec.RunPolicy.OnWorkerLost;
import dev.belay.domain.spec.RunPolicy.WorkerLoss;
import dev.belay.domain.spec.Template;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RetryDecisionTest {

  private final RetryDecision retries = new RetryDecision(RandomGenerator.of("L64X128MixRandom"));

  @Test
  void exit_code_0_is_success_whatever_was_asked_of_it_meanwhile() {
    assertThat(retries.decide(exit(0), policy(3), "cancelled", tries(0, 0, 0)).to())
        .isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void an_error_is_tried_again_until_its_budget_is_used_up() {
    NextState first = retries.decide(exit(1), policy(2), null, tries(0, 0, 0));
    assertThat(first.to()).isEqualTo(TaskState.PENDING);
    assertThat(first.category()).isEqualTo(Category.ERROR);
    assertThat(first.delay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(retries.decide(exit(1), policy(2), null, tries(1, 0, 0)).delay())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(retries.decide(exit(1), policy(2), null, tries(2, 0, 0)).to())
        .isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_wait_never_exceeds_its_maximum_and_jitter_keeps_at_least_half() {
    assertThat(retries.decide(exit(1), policy(50), null, tries(49, 0, 0)).delay())
        .isEqualTo(Duration.ofSeconds(20));
    var jittered =
        new RunPolicy(
            new RetryPolicy(
                9, new Backoff(Duration.ofSeconds(10), 2, Duration.ofMinutes(5), true), 3),
            Map.of(),
            null);
    for (int i = 0; i < 100; i++) {
      assertThat(retries.decide(exit(1), jittered, null, tries(0, 0, 0)).delay())
          .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
    }
  }

  @Test
  void exit_codes_can_mean_skipped_or_fatal() {
    assertThat(retries.decide(exit(99), policy(3), null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.SKIPPED);
    assertThat(retries.decide(exit(42), policy(3), null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_timeout_without_tries_left_is_a_timeout() {
    var timedOut = new Outcome.TimedOut(Duration.ofSeconds(5));
    assertThat(retries.decide(timedOut, policy(0), null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.TIMEOUT);
    assertThat(retries.decide(timedOut, policy(1), null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.PENDING);
  }

  @Test
  void a_stalled_attempt_is_an_error_and_ends_as_timeout() {
    var stalled = new Outcome.Stalled(Duration.ofSeconds(5));
    NextState next = retries.decide(stalled, policy(1), null, tries(0, 0, 0));
    assertThat(next.to()).isEqualTo(TaskState.PENDING);
    assertThat(next.category()).isEqualTo(Category.ERROR);
    assertThat(retries.decide(stalled, policy(1), null, tries(1, 0, 0)))
        .isEqualTo(end(TaskState.TIMEOUT, "stalled: no output for 5000 ms"));
  }

  @Test
  void the_server_s_reason_to_end_it_counts_more_than_its_stall() {
    var stalled = new Outcome.Stalled(Duration.ofSeconds(5));
    assertThat(retries.decide(stalled, policy(3), "cancelled", tries(0, 0, 0)).to())
        .isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void a_lost_attempt_is_tried_at_once_first_and_has_a_budget_of_its_own() {
    var lost = new Outcome.Lost("worker_restarted", Duration.ZERO);
    NextState first = retries.decide(lost, policy(0), null, tries(0, 0, 0));
    assertThat(first.to()).isEqualTo(TaskState.PENDING);
    assertThat(first.category()).isEqualTo(Category.LOST);
    assertThat(first.delay()).isZero();
    assertThat(retries.decide(lost, policy(0), null, tries(0, 1, 0)).delay())
        .isEqualTo(Duration.ofMinutes(1));
    NextState last = retries.decide(lost, policy(0), null, tries(0, 3, 0));
    assertThat(last.to()).isEqualTo(TaskState.FAILED);
    assertThat(last.reason()).isEqualTo("worker_restarted");
  }

  @Test
  void death_by_a_signal_is_a_crash_that_waits_longer_each_time_and_then_fails() {
    var killed = new Outcome.Exited(137, 9);
    List<Duration> waits = new ArrayList<>();
    for (int crashes = 0; crashes < 5; crashes++) {
      NextState next = retries.decide(killed, policy(0), null, tries(0, 0, crashes));
      assertThat(next.to()).isEqualTo(TaskState.PENDING);
      assertThat(next.category()).isEqualTo(Category.CRASH);
      assertThat(next.reason()).isEqualTo("signal: SIGKILL");
      waits.add(next.delay());
    }
    assertThat(waits).extracting(Duration::toMinutes).containsExactly(1L, 5L, 15L, 30L, 30L);
    NextState last = retries.decide(killed, policy(0), null, tries(0, 0, 5));
    assertThat(last)
        .isEqualTo(
            new NextState(TaskState.FAILED, "signal: SIGKILL", Category.NONE, Duration.ZERO));
  }

  @Test
  void errors_losses_and_crashes_use_up_only_their_own_tries() {
    var killed = new Outcome.Exited(139, 11);
    var lost = new Outcome.Lost("agent_lost", Duration.ZERO);
    assertThat(retries.decide(killed, policy(2), null, tries(2, 3, 4)).category())
        .isEqualTo(Category.CRASH);
    assertThat(retries.decide(lost, policy(2), null, tries(2, 2, 5)).category())
        .isEqualTo(Category.LOST);
    assertThat(retries.decide(exit(1), policy(2), null, tries(1, 3, 5)).category())
        .isEqualTo(Category.ERROR);
  }

  @Test
  void how_often_a_crash_is_tried_again_is_a_choice() {
    var once = retrying(new RetryPolicy(9, Backoff.DEFAULT, 9, 1, 9, null), WorkerLoss.DEFAULT);
    var killed = new Outcome.Exited(137, 9);
    assertThat(retries.decide(killed, once, null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.PENDING);
    assertThat(retries.decide(killed, once, null, tries(0, 0, 1)).to()).isEqualTo(TaskState.FAILED);
  }

  @Test
  void what_an_exit_code_means_goes_before_the_signal_it_stands_for() {
    var fatal = new RunPolicy(RetryPolicy.DEFAULT, Map.of(137, ExitMeaning.FATAL), null);
    assertThat(retries.decide(new Outcome.Exited(137, 9), fatal, null, tries(0, 0, 0)).reason())
        .isEqualTo("fatal_exit_code: 137");
  }

  @Test
  void machine_that_went_down_with_the_task_is_a_crash() {
    var rebooted = new Outcome.Lost(RetryDecision.MACHINE_REBOOTED, Duration.ZERO);
    assertThat(retries.decide(rebooted, policy(0), null, tries(0, 0, 1)))
        .isEqualTo(
            new NextState(
                TaskState.PENDING, "machine_rebooted", Category.CRASH, Duration.ofMinutes(5)));
    assertThat(retries.decide(rebooted, policy(0), null, tries(0, 0, 5)).to())
        .isEqualTo(TaskState.FAILED);
  }

  @Test
  void task_that_must_not_be_tried_elsewhere_fails_with_its_worker_but_not_with_its_process() {
    var fails = losing(OnWorkerLost.FAIL, Fencing.TOKEN);
    for (String reason : List.of("agent_lost", RetryDecision.MACHINE_REBOOTED)) {
      var lost = new Outcome.Lost(reason, Duration.ofSeconds(70));
      assertThat(retries.decide(lost, fails, null, tries(0, 0, 0)))
          .isEqualTo(new NextState(TaskState.FAILED, reason, Category.NONE, Duration.ZERO));
    }
    assertThat(retries.decide(new Outcome.Exited(137, 9), fails, null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.PENDING);
  }

  @Test
  void strict_retry_waits_until_the_lost_attempt_has_ended_and_a_token_one_does_not() {
    var lost = new Outcome.Lost("agent_lost", Duration.ofSeconds(65));
    var strict = losing(OnWorkerLost.RETRY, Fencing.STRICT);
    assertThat(retries.decide(lost, strict, null, tries(0, 0, 0)).delay())
        .isEqualTo(Duration.ofSeconds(65));
    assertThat(retries.decide(lost, strict, null, tries(0, 1, 0)).delay())
        .as("not less than a minute, which the second retry waits anyway")
        .isEqualTo(Duration.ofSeconds(65));
    assertThat(retries.decide(lost, strict, null, tries(0, 2, 0)).delay())
        .isEqualTo(Duration.ofMinutes(5));
    assertThat(retries.decide(lost, policy(0), null, tries(0, 0, 0)).delay()).isZero();
    var over = new Outcome.Lost("agent_restarted", Duration.ZERO);
    assertThat(retries.decide(over, strict, null, tries(0, 0, 0)).delay()).isZero();
  }

  @Test
  void abort_that_means_another_start_waits_for_a_strict_attempt_that_may_run_on() {
    var lost = new Outcome.Lost("agent_lost", Duration.ofSeconds(65));
    var strict = losing(OnWorkerLost.FAIL, Fencing.STRICT);
    assertThat(retries.decide(lost, strict, "graceful_shutdown", tries(0, 0, 0)))
        .isEqualTo(
            new NextState(
                TaskState.SCHEDULED, "graceful_shutdown", Category.NONE, Duration.ofSeconds(65)));
    assertThat(retries.decide(lost, policy(0), "graceful_shutdown", tries(0, 0, 0)).delay())
        .isZero();
    assertThat(retries.decide(lost, strict, "cancelled", tries(0, 0, 0)).delay()).isZero();
  }

  @Test
  void what_ran_too_long_ends_as_timeout_whatever_tries_are_left() {
    for (String reason : List.of("deadline_passed", "running_too_long")) {
      for (Outcome outcome :
          List.of(
              new Outcome.Aborted(reason),
              new Outcome.Exited(143, 15),
              new Outcome.Lost("agent_lost", Duration.ofSeconds(65)))) {
        assertThat(retries.decide(outcome, policy(9), reason, tries(0, 0, 0)))
            .isEqualTo(new NextState(TaskState.TIMEOUT, reason, Category.NONE, Duration.ZERO));
      }
    }
  }

  @Test
  void the_reason_of_the_server_decides_where_a_stopped_task_goes() {
    assertThat(
            retries
                .decide(new Outcome.Aborted("cancelled"), policy(3), "cancelled", tries(0, 0, 0))
                .to())
        .isEqualTo(TaskState.CANCELLED);
    assertThat(retries.decide(exit(143), policy(3), "cancelled", tries(0, 0, 0)).to())
        .isEqualTo(TaskState.CANCELLED);
    assertThat(
            retries
                .decide(
                    new Outcome.Lost("worker_gone", Duration.ZERO),
                    policy(3),
                    "cancelled",
                    tries(0, 0, 0))
                .to())
        .isEqualTo(TaskState.CANCELLED);
    assertThat(
            retries
                .decide(new Outcome.Aborted("graceful_shutdown"), policy(0), null, tries(0, 0, 0))
                .to())
        .isEqualTo(TaskState.SCHEDULED);
    assertThat(
            retries
                .decide(new Outcome.Aborted("x"), policy(0), "deadline_passed", tries(0, 0, 0))
                .to())
        .isEqualTo(TaskState.TIMEOUT);
  }

  @Test
  void a_refused_dispatch_is_queued_again_after_a_breath() {
    NextState next = retries.decide(new Outcome.Refused("full"), policy(0), null, tries(0, 0, 0));
    assertThat(next.to()).isEqualTo(TaskState.SCHEDULED);
    assertThat(next.delay()).isPositive();
    assertThat(next.category()).isEqualTo(Category.NONE);
  }

  @Test
  void an_executor_that_is_down_uses_no_retries_and_backs_off_until_the_task_is_given_up() {
    var down = new Outcome.Refused("no resources: Too many open files");
    List<Duration> waits = new ArrayList<>();
    for (int before = 0; before < 49; before++) {
      NextState next = retries.decide(down, policy(0), null, new Tries(1, 9, 9, 9, 9, before));
      assertThat(next.to()).isEqualTo(TaskState.SCHEDULED);
      assertThat(next.reason()).isEqualTo("dispatch_failed: no resources: Too many open files");
      assertThat(next.category()).isEqualTo(Category.DISPATCH);
      waits.add(next.delay());
    }
    for (int before = 0; before < waits.size(); before++) {
      assertThat(waits.get(before))
          .isBetween(
              Duration.ofSeconds(Math.min(30, 1L << Math.min(before, 10))),
              Duration.ofSeconds(Math.min(30, 1L << Math.min(before, 10))).plusMillis(500));
    }
    assertThat(new HashSet<>(waits)).hasSizeGreaterThan(20);
    assertThat(retries.decide(down, policy(3), null, new Tries(50, 0, 0, 0, 0, 49)))
        .isEqualTo(end(TaskState.FAILED, "dispatch_failed: no resources: Too many open files"));
  }

  @Test
  void a_request_to_end_goes_before_an_executor_that_is_down() {
    var down = new Outcome.Refused(Outcome.Refused.NO_RESOURCES);
    assertThat(retries.decide(down, policy(0), "cancelled", tries(0, 0, 0)).to())
        .isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void a_lease_that_could_not_be_kept_uses_no_budget_and_lets_the_task_go_elsewhere() {
    NextState next =
        retries.decide(
            new Outcome.Aborted(RetryDecision.LEASE_UNWRITABLE), policy(0), null, tries(0, 9, 0));
    assertThat(next.to()).isEqualTo(TaskState.SCHEDULED);
    assertThat(next.reason()).isEqualTo("lease_unwritable");
    assertThat(next.category()).isEqualTo(Category.NONE);
    assertThat(next.delay()).isPositive();
  }

  @Test
  void a_signal_is_named() {
    assertThat(retries.decide(new Outcome.Exited(137, 9), policy(0), null, tries(0, 0, 0)).reason())
        .isEqualTo("signal: SIGKILL");
  }

  @Test
  void a_death_for_lack_of_memory_is_a_crash_that_says_so() {
    var killed = new Outcome.Exited(137, 9, true);
    NextState next = retries.decide(killed, policy(0), null, tries(0, 0, 0));
    assertThat(next.reason()).isEqualTo("signal: SIGKILL (out of memory)");
    assertThat(next.category()).isEqualTo(Category.CRASH);
  }

  @Test
  void an_attempt_that_outlived_its_lease_is_a_loss_that_is_over() {
    var expired = new Outcome.Aborted(RetryDecision.LEASE_EXPIRED);
    NextState next = retries.decide(expired, policy(0), null, tries(0, 0, 0));
    assertThat(next.to()).isEqualTo(TaskState.PENDING);
    assertThat(next.reason()).isEqualTo("lease_expired");
    assertThat(next.category()).isEqualTo(Category.LOST);
    assertThat(next.delay()).isZero();
  }

  @Test
  void what_is_unavailable_is_tried_on_its_own_schedule_and_then_blocked() {
    var unavailable = unavailable(RetryPolicy.DEFAULT);
    List<Duration> waits = new ArrayList<>();
    for (int before = 0; before < 5; before++) {
      NextState next =
          retries.decide(exit(75), unavailable, null, new Tries(before + 1, 9, 9, 9, before, 9));
      assertThat(next.to()).isEqualTo(TaskState.PENDING);
      assertThat(next.category()).isEqualTo(Category.UNAVAILABLE);
      assertThat(next.reason()).isEqualTo("unavailable: exit_code 75");
      waits.add(next.delay());
    }
    assertThat(waits).extracting(Duration::toMinutes).containsExactly(2L, 5L, 10L, 15L, 15L);
    assertThat(retries.decide(exit(75), unavailable, null, new Tries(6, 0, 0, 0, 5, 0)))
        .isEqualTo(
            new NextState(
                TaskState.BLOCKED, "unavailable: exit_code 75", Category.NONE, Duration.ZERO));
  }

  @Test
  void how_often_the_unavailable_is_tried_again_is_a_choice() {
    var never = unavailable(new RetryPolicy(9, Backoff.DEFAULT, 9, 9, 0, null));
    assertThat(retries.decide(exit(75), never, null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.BLOCKED);
  }

  @Test
  void cancelled_or_overdue_task_is_not_blocked() {
    var never = unavailable(new RetryPolicy(9, Backoff.DEFAULT, 9, 9, 0, null));
    assertThat(retries.decide(exit(75), never, "cancelled", tries(0, 0, 0)).to())
        .isEqualTo(TaskState.CANCELLED);
    assertThat(retries.decide(exit(75), never, "deadline_passed", tries(0, 0, 0)).to())
        .isEqualTo(TaskState.TIMEOUT);
  }

  @Test
  void the_condition_sees_how_each_attempt_failed() {
    List<Failure> seen = new ArrayList<>();
    var deciding = deciding((condition, failure) -> seen.add(failure));
    var policy = unavailable(onlyIf("x"));
    for (Outcome outcome :
        List.of(
            exit(1),
            exit(75),
            new Outcome.Exited(137, 9),
            new Outcome.Lost("agent_lost", Duration.ZERO),
            new Outcome.Lost(RetryDecision.MACHINE_REBOOTED, Duration.ZERO),
            new Outcome.Stalled(Duration.ofSeconds(5)),
            new Outcome.StartFailed("no such file"))) {
      assertThat(deciding.decide(outcome, policy, null, new Tries(3, 0, 0, 0, 0, 0)).to())
          .isEqualTo(TaskState.PENDING);
    }
    assertThat(seen)
        .containsExactly(
            new Failure(1, "exit_code: 1", 3, Category.ERROR),
            new Failure(75, "unavailable: exit_code 75", 3, Category.UNAVAILABLE),
            new Failure(137, "signal: SIGKILL", 3, Category.CRASH),
            new Failure(-1, "agent_lost", 3, Category.LOST),
            new Failure(-1, "machine_rebooted", 3, Category.CRASH),
            new Failure(-1, "stalled: no output for 5000 ms", 3, Category.ERROR),
            new Failure(-1, "start_failed: no such file", 3, Category.ERROR));
  }

  @Test
  void condition_that_does_not_hold_ends_the_task_as_if_its_budget_were_used_up() {
    var deciding = deciding((condition, failure) -> false);
    var policy = unavailable(onlyIf("x"));
    assertThat(deciding.decide(exit(1), policy, null, tries(0, 0, 0)))
        .isEqualTo(end(TaskState.FAILED, "exit_code: 1; retry.if is false"));
    assertThat(deciding.decide(exit(75), policy, null, tries(0, 0, 0)))
        .isEqualTo(end(TaskState.BLOCKED, "unavailable: exit_code 75; retry.if is false"));
    var timedOut = new Outcome.TimedOut(Duration.ofMillis(5));
    assertThat(deciding.decide(timedOut, policy, null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.TIMEOUT);
    var lost = new Outcome.Lost("agent_lost", Duration.ZERO);
    assertThat(deciding.decide(lost, policy, null, tries(0, 0, 0)))
        .isEqualTo(end(TaskState.FAILED, "agent_lost; retry.if is false"));
  }

  @Test
  void condition_without_a_value_does_not_stop_the_retry_but_is_told() {
    var deciding =
        deciding(
            (condition, failure) -> {
              throw new ExpressionFailed("it is null");
            });
    NextState next = deciding.decide(exit(1), unavailable(onlyIf("x")), null, tries(0, 0, 0));
    assertThat(next.to()).isEqualTo(TaskState.PENDING);
    assertThat(next.category()).isEqualTo(Category.ERROR);
    assertThat(next.reason()).isEqualTo("exit_code: 1; retry.if failed: it is null");
  }

  /** Nobody asks about a retry that cannot be. */
  @Test
  void condition_is_not_evaluated_without_a_retry() {
    var deciding =
        deciding(
            (condition, failure) -> {
              throw new AssertionError(failure);
            });
    var policy = unavailable(onlyIf("x"));
    assertThat(deciding.decide(exit(0), policy, null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.SUCCEEDED);
    assertThat(deciding.decide(exit(1), policy, null, tries(9, 0, 0)).to())
        .isEqualTo(TaskState.FAILED);
    assertThat(deciding.decide(exit(1), policy, "cancelled", tries(0, 0, 0)).to())
        .isEqualTo(TaskState.CANCELLED);
    assertThat(deciding.decide(new Outcome.Refused("full"), policy, null, tries(0, 0, 0)).to())
        .isEqualTo(TaskState.SCHEDULED);
  }

  private static RetryDecision deciding(RetryCondition condition) {
    return new RetryDecision(
        RandomGenerator.of("L64X128MixRandom"), RetryDecision.Waits.DEFAULT, condition);
  }

  private static RetryPolicy onlyIf(String condition) {
    return new RetryPolicy(9, Backoff.DEFAULT, 9, 9, 9, new Template(condition));
  }

  private static RunPolicy unavailable(RetryPolicy retry) {
    return new RunPolicy(retry, Map.of(75, ExitMeaning.UNAVAILABLE), null);
  }

  private static NextState end(TaskState state, String reason) {
    return new NextState(state, reason, Category.NONE, Duration.ZERO);
  }

  private static Tries tries(int errors, int losses, int crashes) {
    return new Tries(1, errors, losses, crashes, 0, 0);
  }

  private static Outcome exit(int code) {
    return new Outcome.Exited(code, 0);
  }

  private static RunPolicy losing(OnWorkerLost then, Fencing fencing) {
    return retrying(RetryPolicy.DEFAULT, new WorkerLoss(then, fencing));
  }

  private static RunPolicy retrying(RetryPolicy retry, WorkerLoss loss) {
    return new RunPolicy(retry, RunPolicy.EXIT_CODES_DEFAULT, null, loss);
  }

  private static RunPolicy policy(int max) {
    return new RunPolicy(
        new RetryPolicy(
            max, new Backoff(Duration.ofSeconds(1), 3, Duration.ofSeconds(20), false), 3),
        Map.of(99, ExitMeaning.SKIPPED, 42, ExitMeaning.FATAL),
        null);
  }
}
