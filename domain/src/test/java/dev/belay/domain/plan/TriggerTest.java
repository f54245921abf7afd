package dev.belay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.plan.Trigger.Decision;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.task.TaskState;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** S succeeded, F failed, U upstream failed, K skipped, R running. */
class TriggerTest {

  @ParameterizedTest
  @CsvSource({
    "ALL_SUCCESS, SS, START",
    "ALL_SUCCESS, SR, WAIT",
    "ALL_SUCCESS, SF, UPSTREAM_FAILED",
    "ALL_SUCCESS, RF, UPSTREAM_FAILED",
    "ALL_SUCCESS, RU, UPSTREAM_FAILED",
    "ALL_SUCCESS, SK, SKIP",
    "ALL_SUCCESS, RK, SKIP",
    "ALL_SUCCESS, KF, UPSTREAM_FAILED",
    "ALL_FAILED, FF, START",
    "ALL_FAILED, FU, START",
    "ALL_FAILED, FR, WAIT",
    "ALL_FAILED, FS, SKIP",
    "ALL_FAILED, RK, SKIP",
    "ALL_DONE, SFUK, START",
    "ALL_DONE, SR, WAIT",
    "ALL_SKIPPED, KK, START",
    "ALL_SKIPPED, KR, WAIT",
    "ALL_SKIPPED, KS, SKIP",
    "ALL_SKIPPED, KF, SKIP",
    "ONE_SUCCESS, SR, START",
    "ONE_SUCCESS, FR, WAIT",
    "ONE_SUCCESS, FK, UPSTREAM_FAILED",
    "ONE_SUCCESS, KK, SKIP",
    "ONE_FAILED, FR, START",
    "ONE_FAILED, UR, START",
    "ONE_FAILED, SR, WAIT",
    "ONE_FAILED, SK, SKIP",
    "ONE_DONE, SR, START",
    "ONE_DONE, FR, START",
    "ONE_DONE, KR, WAIT",
    "ONE_DONE, KK, SKIP",
    "ONE_DONE, KU, SKIP",
    "NONE_FAILED, SK, START",
    "NONE_FAILED, KK, START",
    "NONE_FAILED, SR, WAIT",
    "NONE_FAILED, RF, UPSTREAM_FAILED",
    "NONE_FAILED_MIN_ONE_SUCCESS, SK, START",
    "NONE_FAILED_MIN_ONE_SUCCESS, KK, SKIP",
    "NONE_FAILED_MIN_ONE_SUCCESS, KR, WAIT",
    "NONE_FAILED_MIN_ONE_SUCCESS, SU, UPSTREAM_FAILED",
    "NONE_SKIPPED, SF, START",
    "NONE_SKIPPED, SR, WAIT",
    "NONE_SKIPPED, RK, SKIP",
    "ALWAYS, RRR, START",
  })
  void rules_mean_what_they_mean_in_airflow(TriggerRule rule, String upstream, Decision expected) {
    assertThat(Trigger.decide(rule, states(upstream))).isEqualTo(expected);
  }

  private static List<TaskState> states(String letters) {
    return Arrays.stream(letters.split(""))
        .map(
            letter ->
                switch (letter) {
                  case "S" -> TaskState.SUCCEEDED;
                  case "F" -> TaskState.FAILED;
                  case "U" -> TaskState.UPSTREAM_FAILED;
                  case "K" -> TaskState.SKIPPED;
                  case "R" -> TaskState.RUNNING;
                  default -> throw new IllegalArgumentException(letter);
                })
        .toList();
  }

  @ParameterizedTest
  @EnumSource(TriggerRule.class)
  void a_task_without_dependencies_starts(TriggerRule rule) {
    assertThat(Trigger.decide(rule, List.of())).isEqualTo(Decision.START);
  }

  @ParameterizedTest
  @EnumSource(TriggerRule.class)
  void when_everything_upstream_is_over_no_rule_waits(TriggerRule rule) {
    for (String all : List.of("S", "F", "U", "K", "SF", "SK", "FK", "UK", "SFUK")) {
      assertThat(Trigger.decide(rule, states(all))).as(all).isNotEqualTo(Decision.WAIT);
    }
  }

  @Test
  void timeouts_cancellations_and_denials_count_as_failures() {
    for (TaskState failure :
        List.of(
            TaskState.TIMEOUT,
            TaskState.CANCELLED,
            TaskState.DENIED,
            TaskState.OUTPUT_QUARANTINED)) {
      assertThat(Trigger.decide(TriggerRule.ALL_SUCCESS, List.of(failure)))
          .isEqualTo(Decision.UPSTREAM_FAILED);
    }
  }
}
