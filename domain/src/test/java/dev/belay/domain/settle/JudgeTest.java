package dev.belay.domain.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.settle.Verdict.Category;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RetryPolicy.Backoff;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.ExitMeaning;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class JudgeTest {

  private final Judge judge = new Judge(RandomGenerator.of("L64X128MixRandom"));

  @Test
  void exit_code_0_is_success_whatever_was_asked_of_it_meanwhile() {
    assertThat(judge.judge(exit(0), policy(3), "cancelled", new Tries(0, 0, 0)).to())
        .isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void an_error_is_tried_again_until_its_budget_is_used_up() {
    Verdict first = judge.judge(exit(1), policy(2), null, new Tries(0, 0, 0));
    assertThat(first.to()).isEqualTo(TaskState.PENDING);
    assertThat(first.category()).isEqualTo(Category.ERROR);
    assertThat(first.delay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(judge.judge(exit(1), policy(2), null, new Tries(1, 0, 0)).delay())
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(judge.judge(exit(1), policy(2), null, new Tries(2, 0, 0)).to())
        .isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_wait_never_exceeds_its_maximum_and_jitter_keeps_at_least_half() {
    assertThat(judge.judge(exit(1), policy(50), null, new Tries(49, 0, 0)).delay())
        .isEqualTo(Duration.ofSeconds(20));
    var jittered =
        new RunPolicy(
            new RetryPolicy(
                9, new Backoff(Duration.ofSeconds(10), 2, Duration.ofMinutes(5), true), 3),
            Map.of(),
            null);
    for (int i = 0; i < 100; i++) {
      assertThat(judge.judge(exit(1), jittered, null, new Tries(0, 0, 0)).delay())
          .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
    }
  }

  @Test
  void exit_codes_can_mean_skipped_or_fatal() {
    assertThat(judge.judge(exit(99), policy(3), null, new Tries(0, 0, 0)).to())
        .isEqualTo(TaskState.SKIPPED);
    assertThat(judge.judge(exit(42), policy(3), null, new Tries(0, 0, 0)).to())
        .isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_timeout_without_tries_left_is_a_timeout() {
    var timedOut = new Outcome.TimedOut(Duration.ofSeconds(5));
    assertThat(judge.judge(timedOut, policy(0), null, new Tries(0, 0, 0)).to())
        .isEqualTo(TaskState.TIMEOUT);
    assertThat(judge.judge(timedOut, policy(1), null, new Tries(0, 0, 0)).to())
        .isEqualTo(TaskState.PENDING);
  }

  @Test
  void a_lost_attempt_is_tried_at_once_first_and_has_a_budget_of_its_own() {
    var lost = new Outcome.Lost("worker_restarted", Duration.ZERO);
    Verdict first = judge.judge(lost, policy(0), null, new Tries(0, 0, 0));
    assertThat(first.to()).isEqualTo(TaskState.PENDING);
    assertThat(first.category()).isEqualTo(Category.LOST);
    assertThat(first.delay()).isZero();
    assertThat(judge.judge(lost, policy(0), null, new Tries(0, 1, 0)).delay())
        .isEqualTo(Duration.ofMinutes(1));
    Verdict last = judge.judge(lost, policy(0), null, new Tries(0, 3, 0));
    assertThat(last.to()).isEqualTo(TaskState.FAILED);
    assertThat(last.reason()).isEqualTo("worker_restarted");
  }

  @Test
  void the_reason_of_the_server_decides_where_a_stopped_task_goes() {
    assertThat(
            judge
                .judge(new Outcome.Aborted("cancelled"), policy(3), "cancelled", new Tries(0, 0, 0))
                .to())
        .isEqualTo(TaskState.CANCELLED);
    assertThat(judge.judge(exit(143), policy(3), "cancelled", new Tries(0, 0, 0)).to())
        .isEqualTo(TaskState.CANCELLED);
    assertThat(
            judge
                .judge(
                    new Outcome.Lost("worker_gone", Duration.ZERO),
                    policy(3),
                    "cancelled",
                    new Tries(0, 0, 0))
                .to())
        .isEqualTo(TaskState.CANCELLED);
    assertThat(
            judge
                .judge(
                    new Outcome.Aborted("graceful_shutdown"), policy(0), null, new Tries(0, 0, 0))
                .to())
        .isEqualTo(TaskState.SCHEDULED);
    assertThat(
            judge
                .judge(
                    new Outcome.Aborted("x"), policy(0), "cost_limit_reached", new Tries(0, 0, 0))
                .to())
        .isEqualTo(TaskState.BLOCKED);
  }

  @Test
  void a_refused_dispatch_is_queued_again_after_a_breath() {
    Verdict verdict = judge.judge(new Outcome.Refused("full"), policy(0), null, new Tries(0, 0, 0));
    assertThat(verdict.to()).isEqualTo(TaskState.SCHEDULED);
    assertThat(verdict.delay()).isPositive();
    assertThat(verdict.category()).isEqualTo(Category.NONE);
  }

  @Test
  void a_signal_is_named() {
    assertThat(
            judge.judge(new Outcome.Exited(137, 9), policy(0), null, new Tries(0, 0, 0)).reason())
        .isEqualTo("signal: SIGKILL");
  }

  @Test
  void a_death_for_lack_of_memory_is_a_crash_that_says_so() {
    var killed = new Outcome.Exited(137, 9, true);
    Verdict verdict = judge.judge(killed, policy(0), null, new Tries(0, 0, 0));
    assertThat(verdict.reason()).isEqualTo("signal: SIGKILL (out of memory)");
    assertThat(verdict.category()).isEqualTo(Category.CRASH);
  }

  @Test
  void an_attempt_that_outlived_its_lease_is_a_loss_that_is_over() {
    var expired = new Outcome.Aborted(Judge.LEASE_EXPIRED);
    Verdict verdict = judge.judge(expired, policy(0), null, new Tries(0, 0, 0));
    assertThat(verdict.to()).isEqualTo(TaskState.PENDING);
    assertThat(verdict.reason()).isEqualTo("lease_expired");
    assertThat(verdict.category()).isEqualTo(Category.LOST);
    assertThat(verdict.delay()).isZero();
  }

  private static Outcome exit(int code) {
    return new Outcome.Exited(code, 0);
  }

  private static RunPolicy policy(int max) {
    return new RunPolicy(
        new RetryPolicy(
            max, new Backoff(Duration.ofSeconds(1), 3, Duration.ofSeconds(20), false), 3),
        Map.of(99, ExitMeaning.SKIPPED, 42, ExitMeaning.FATAL),
        null);
  }
}
