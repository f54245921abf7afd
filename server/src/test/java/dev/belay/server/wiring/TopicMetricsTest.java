package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.embedded.testing.TestPostgres;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Results;
import dev.belay.server.ServerSettings;
import dev.belay.session.wire.WorkerKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a scrape of a real server shows of tasks with topics and of limits. */
@Timeout(120)
class TopicMetricsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void tasks_are_counted_by_topic_from_their_submit_to_their_end_and_limits_are_shown()
      throws Exception {
    var found = TestPostgres.freshDatabase();
    var database = new ServerSettings.Database(found.jdbcUrl(), found.user(), found.password());
    try (var only = Running.start("only", folder, database)) {
      await().atMost(PATIENCE).until(only::leads);
      assertThat(only.put("/api/v1/topics/etl", "{\"pools\": [\"default\"]}").status())
          .isLessThan(300);
      assertThat(
              only.put("/api/v1/tenants/default", "{\"max_running\": 1, \"max_waiting\": 3}")
                  .status())
          .isLessThan(300);
      assertThat(submit(only, "etl")).isLessThan(300);
      assertThat(submit(only, "etl")).isLessThan(300);
      assertThat(submit(only, "typo")).isLessThan(300);
      assertThat(submit(only, "etl")).as("three wait").isEqualTo(429);
      shows(only, "belay_tasks_received_total{source=\"submit\",topic=\"etl\"} 2.0");
      shows(only, "belay_tasks_received_total{source=\"submit\",topic=\"other\"} 1.0");
      shows(only, "belay_submits_limited_total{limit=\"max_waiting\"} 1.0");
      shows(only, "belay_tasks_waiting{topic=\"etl\"} 2.0");

      var worker =
          ForgedWorker.call(only.port(), only.joinToken())
              .say(ForgedWorker.hello(UUID.randomUUID(), WorkerKey.random(new Random(1))))
              .welcomed();
      await().atMost(PATIENCE).until(() -> worker.assigned().size() == 1);
      shows(only, "belay_limit_places{limit=\"tenant_limit\",name=\"default\"} 1.0");
      shows(only, "belay_limit_places_held{limit=\"tenant_limit\",name=\"default\"} 1.0");
      assertThat(value(only, "belay_placements_refused_total{reason=\"tenant_limit\"}"))
          .isPositive();
      worker.say(finished(worker.assigned().getFirst(), 0));
      await().atMost(PATIENCE).until(() -> worker.assigned().size() == 2);
      worker.say(finished(worker.assigned().get(1), 3));
      shows(only, "belay_tasks_dispatched_total{topic=\"etl\"} 2.0");
      shows(only, "belay_tasks_completed_total{state=\"SUCCEEDED\",topic=\"etl\"} 1.0");
      shows(only, "belay_tasks_completed_total{state=\"FAILED\",topic=\"etl\"} 1.0");
      shows(only, "belay_tasks_completed_total{state=\"SUCCEEDED\",topic=\"\"} 0.0");
      shows(only, "belay_limit_places_held{limit=\"tenant_limit\",name=\"default\"} 0.0");
    }
  }

  private static int submit(Running server, String topic) {
    return server
        .post("/api/v1/tasks", "{\"command\": [\"true\"], \"topic\": \"" + topic + "\"}")
        .status();
  }

  /** A gauge is refreshed every 15 s. */
  private static void shows(Running server, String line) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(server.fetch("/metrics").text()).contains(line));
  }

  private static double value(Running server, String series) {
    return server
        .fetch("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static AgentMessage finished(Dispatch dispatch, int code) {
    long now = System.currentTimeMillis();
    return AgentMessage.newBuilder()
        .setSentAtMs(now)
        .setResults(
            Results.newBuilder()
                .addFinished(
                    Finished.newBuilder()
                        .setDispatchId(dispatch.getDispatchId())
                        .setTaskId(dispatch.getTaskId())
                        .setStartedAtMs(now - 10)
                        .setEndedAtMs(now)
                        .setExit(Exit.newBuilder().setCode(code))))
        .build();
  }
}
