package dev.belay.domain.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.QueueSpec.KeyLimit;
import dev.belay.domain.spec.QueueSpec.KeyRate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class QueueOfTest {

  private static final RunPolicy POLICY =
      new RunPolicy(RetryPolicy.DEFAULT, RunPolicy.EXIT_CODES_DEFAULT, Duration.ofMinutes(5));
  private static final Map<String, String> LABELS =
      Map.of(
          "team", "data",
          "preferred_worker_id", "build-7",
          "preferred_pool", "big",
          "node.zone", "a",
          "placement.rack", "3",
          "constraint.os", "linux");

  private static final QueueSpec SPEC =
      new QueueSpec(
          "etl.load",
          "big",
          new TreeSet<>(List.of("gpu")),
          new Size(4, 1 << 30, 500),
          new KeyLimit(new Template("day"), 2, OnConflict.CANCEL_NEW),
          new KeyRate(new Template("api"), 10, Duration.ofSeconds(1)));

  private static final Placement PLACEMENT =
      new Placement(
          "etl.load",
          "big",
          new TreeSet<>(List.of("gpu")),
          Map.of("node.zone", "a", "placement.rack", "3", "constraint.os", "linux"),
          "build-7",
          new Size(4, 1 << 30, 500),
          Duration.ofMinutes(5));

  @Test
  void a_task_of_a_workflow_waits_with_the_value_of_its_keys() throws ExpressionFailed {
    assertThat(QueueOf.task(workflow(), task(SPEC), key -> key.text() + "-1"))
        .isEqualTo(
            new TaskQueue(
                "data",
                "etl",
                PLACEMENT,
                new Concurrency("day-1", 2, OnConflict.CANCEL_NEW),
                new RateLimit("api-1", 10, Duration.ofSeconds(1))));
  }

  @Test
  void a_task_without_a_run_waits_with_its_keys_as_written() {
    assertThat(QueueOf.alone("data", SPEC, LABELS, POLICY))
        .isEqualTo(
            new TaskQueue(
                "data",
                null,
                PLACEMENT,
                new Concurrency("day", 2, OnConflict.CANCEL_NEW),
                new RateLimit("api", 10, Duration.ofSeconds(1))));
  }

  @Test
  void the_usual_task_needs_only_its_pool() {
    assertThat(QueueOf.alone("data", "default", RunPolicy.DEFAULT))
        .isEqualTo(new TaskQueue("data", null, Placement.inPool("default"), null, null));
  }

  @Test
  void a_key_without_a_value_or_too_long_fails_its_task() {
    assertThatThrownBy(() -> QueueOf.task(workflow(), task(SPEC), key -> " "))
        .isInstanceOf(ExpressionFailed.class)
        .hasMessage("the key day is empty");
    assertThatThrownBy(() -> QueueOf.task(workflow(), task(SPEC), key -> "k".repeat(201)))
        .isInstanceOf(ExpressionFailed.class)
        .hasMessage("the key day has 201 characters; the most is 200");
  }

  private static WorkflowSpec workflow() {
    return new WorkflowSpec(
        "data", "etl", null, Map.of(), List.of(), RunLimits.NONE, List.of(task(SPEC)));
  }

  private static TaskSpec task(QueueSpec queue) {
    return new TaskSpec(
        "a",
        new Action.Script("x"),
        List.of(),
        TriggerRule.ALL_SUCCESS,
        null,
        Map.of(),
        POLICY,
        TaskSpec.PRIORITY_DEFAULT,
        queue,
        LABELS,
        null);
  }
}
