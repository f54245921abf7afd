package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.spec.QueueSpec;
import dev.belay.domain.spec.QueueSpec.KeyLimit;
import dev.belay.domain.spec.QueueSpec.KeyRate;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class QueueKeysTest {

  @Test
  void every_key_of_the_task_queue_reaches_the_spec() {
    assertThat(
            queue(
                """
                params: {day: {type: date}}
                task:
                  command: [x]
                  topic: etl.load
                  pool: big
                  requires: [ssd, gpu]
                  slots: 4
                  resources: {memory: 1536MiB, cpu: 1.5}
                  concurrency: {key: "day-${{ params.day }}", limit: 3, on_conflict: cancel_new}
                  rate_limit: {key: api, max: 10, per: 1s}
                """))
        .isEqualTo(
            new QueueSpec(
                "etl.load",
                "big",
                new TreeSet<>(List.of("gpu", "ssd")),
                new Size(4, 1536L << 20, 1_500),
                new KeyLimit(new Template("day-${{ params.day }}"), 3, OnConflict.CANCEL_NEW),
                new KeyRate(new Template("api"), 10, Duration.ofSeconds(1))));
  }

  @Test
  void a_task_without_these_keys_takes_one_slot_of_the_default_pool() {
    assertThat(queue("task: {command: [x]}")).isEqualTo(QueueSpec.DEFAULT);
  }

  @Test
  void a_topic_alone_leaves_the_pool_open_and_a_default_pool_narrows_it() {
    assertThat(queue("task: {command: [x], topic: t}").pool()).isNull();
    assertThat(queue("defaults: {pool: big}\ntask: {command: [x], topic: t}").pool())
        .isEqualTo("big");
  }

  @Test
  void the_label_preferred_pool_is_the_pool() {
    assertThat(queue("task: {command: [x], labels: {preferred_pool: big}}").pool())
        .isEqualTo("big");
    assertThat(queue("task: {command: [x], topic: t, labels: {preferred_pool: big}}").pool())
        .isEqualTo("big");
    assertThat(queue("task: {command: [x], pool: big, labels: {preferred_pool: big}}").pool())
        .isEqualTo("big");
  }

  @Test
  void a_limit_is_one_and_queues_unless_the_file_says_more() {
    assertThat(queue("task: {command: [x], concurrency: {key: k}}").concurrency())
        .isEqualTo(new KeyLimit(new Template("k"), 1, OnConflict.QUEUE));
  }

  @Test
  void defaults_are_merged_into_the_limits_of_a_task() {
    assertThat(
            queue(
                    "defaults: {concurrency: {key: k, limit: 5}, slots: 2}\n"
                        + "task: {command: [x], concurrency: {key: own, on_conflict:"
                        + " cancel_running}}")
                .concurrency())
        .isEqualTo(new KeyLimit(new Template("own"), 5, OnConflict.CANCEL_RUNNING));
  }

  @Test
  void defaults_for_workers_do_not_concern_a_task_that_waits() {
    assertThat(queue("defaults: {topic: t, slots: 2}\ntask: {wait: {for: 1s}}"))
        .isEqualTo(QueueSpec.DEFAULT);
  }

  @Test
  void a_long_literal_key_is_refused_where_it_stands() {
    assertThat(
            ParsedFiles.problems(
                "task: {command: [x], concurrency: {key: \"" + "k".repeat(201) + "\"}}"))
        .containsExactly(
            "w.yaml:1:41: the 'key' of 'concurrency' has 201 characters; the most is 200");
  }

  private static QueueSpec queue(String file) {
    TaskSpec task = ParsedFiles.valid(file).tasks().getFirst();
    return task.queue();
  }
}
