package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class QueueCodecTest {

  private static final TaskQueue FULL =
      new TaskQueue(
          "acme",
          "etl",
          new Placement(
              "etl.load",
              "gpu",
              new TreeSet<>(List.of("gpu", "avx")),
              Map.of("node.zone", "a", "constraint.disk", "ssd"),
              "w1",
              new Size(4, 5_000_000_000L, 1_500),
              Duration.ofMillis(1_500)),
          new Concurrency("2026-03-04", 3, OnConflict.CANCEL_NEW),
          new RateLimit("api", 10, Duration.ofSeconds(1)));

  @Test
  void everything_survives() {
    assertThat(QueueCodec.fromJson(QueueCodec.toJson(FULL))).isEqualTo(FULL);
  }

  @Test
  void defaults_are_left_out_so_that_the_migration_writes_the_same() {
    var plain = new TaskQueue("default", "etl", Placement.inPool("main"), null, null);
    assertThat(QueueCodec.toJson(plain))
        .isEqualTo("{\"tenant\":\"default\",\"workflow\":\"etl\",\"pool\":\"main\"}");
    assertThat(QueueCodec.fromJson(QueueCodec.toJson(plain))).isEqualTo(plain);
  }

  @Test
  void equal_task_queues_have_equal_texts_whatever_the_order_of_their_parts() {
    var other =
        new TaskQueue(
            "acme",
            "etl",
            new Placement(
                "etl.load",
                "gpu",
                new TreeSet<>(List.of("avx", "gpu")),
                Map.of("constraint.disk", "ssd", "node.zone", "a"),
                "w1",
                FULL.placement().size(),
                Duration.ofMillis(1_500)),
            FULL.concurrency(),
            FULL.rateLimit());
    assertThat(QueueCodec.toJson(other)).isEqualTo(QueueCodec.toJson(FULL));
  }
}
