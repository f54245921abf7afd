package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of dead letters on a real server, from a task that fails to the purge. */
@Timeout(180)
class DeadLettersTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String LETTERS = "/api/v1/dead-letters";

  /** Each exit code is a cause of its own. */
  private static final int FAILED = 5;

  @TempDir Path folder;

  @Test
  void dead_letters_are_listed_grouped_shown_retried_and_purged() throws Exception {
    var found = TestPostgres.freshDatabase();
    var database = new ServerSettings.Database(found.jdbcUrl(), found.user(), found.password());
    try (var server = Running.start("only", folder, database, "dead-letter-failed=true")) {
      await().atMost(PATIENCE).until(server::leads);
      assertThat(server.put("/api/v1/topics/etl", "{\"pools\": [\"default\"]}").status())
          .isLessThan(300);
      var worker =
          ForgedWorker.call(server.port(), server.joinToken())
              .say(ForgedWorker.hello(UUID.randomUUID(), WorkerKey.random(new Random(1))))
              .welcomed();
      var failing = Thread.ofVirtual().start(() -> failAll(worker));
      try {
        lifeOfLetters(server);
      } finally {
        failing.interrupt();
      }
    }
  }

  private void lifeOfLetters(Running server) {
    for (int i = 0; i < FAILED; i++) {
      assertThat(
              server
                  .post(
                      "/api/v1/tasks",
                      "{\"name\": \"load\", \"command\": [\"true\"], \"priority\": 70, \"labels\":"
                          + " {\"team\": \"data\"}"
                          + (i == 0 ? "" : ", \"topic\": \"etl\"")
                          + "}")
                  .status())
          .isLessThan(300);
    }
    await().atMost(PATIENCE).until(() -> items(server, LETTERS).size() == FAILED);

    assertThat(items(server, LETTERS + "?topic=etl")).hasSize(FAILED - 1);
    assertThat(items(server, LETTERS + "?reason=no_workers")).isEmpty();
    JsonNode group = items(server, "/api/v1/dead-letter-groups?reason=failed").get(0);
    assertThat(group.get("count").asInt()).isEqualTo(FAILED);
    assertThat(group.get("cause").asText()).isEqualTo("exit_code: 3");
    String fingerprint = group.get("fingerprint").asText();
    assertThat(items(server, LETTERS + "?fingerprint=" + fingerprint)).hasSize(FAILED);

    String first = items(server, LETTERS).get(0).get("id").asText();
    JsonNode shown = server.fetch(LETTERS + "/" + first).json();
    assertThat(shown.get("request").get("work").get("argv").get(0).asText()).isEqualTo("true");
    assertThat(shown.get("request").get("priority").asInt()).isEqualTo(70);
    assertThat(shown.get("request").get("queue").get("topic").asText()).isEqualTo("etl");
    assertThat(task(server, shown.get("task")).get("dead_letter").asText()).isEqualTo(first);

    // One by one: it fails again, and the next dead letter counts that.
    String before = first;
    for (int retries = 1; retries <= 2; retries++) {
      String retried = before;
      JsonNode as = server.post(LETTERS + "/" + retried + "/retry", "").json().get("task");
      assertThat(task(server, as).get("retry_of").asText()).isEqualTo(retried);
      assertThat(task(server, as).get("labels").get("team").asText()).isEqualTo("data");
      assertThat(server.fetch(LETTERS + "/" + retried).json().get("retried_as")).isEqualTo(as);
      assertThat(server.post(LETTERS + "/" + retried + "/retry", "").status()).isEqualTo(409);
      await().atMost(PATIENCE).until(() -> task(server, as).hasNonNull("dead_letter"));
      before = task(server, as).get("dead_letter").asText();
      JsonNode next = server.fetch(LETTERS + "/" + before).json();
      assertThat(next.get("retry_of").asText()).isEqualTo(retried);
      assertThat(next.get("retries").asInt()).isEqualTo(retries);
    }

    // By filter, at a rate: those of the topic that are open, once each.
    Instant start = Instant.now();
    JsonNode bulk =
        server
            .post(
                "/api/v1/bulk",
                "{\"kind\": \"retry_dead_letters\", \"filter\": {\"topic\": \"etl\", \"reason\":"
                    + " \"failed\"}, \"rate\": 2}")
            .json();
    String operation = "/api/v1/bulk/" + bulk.get("id").asText();
    await()
        .atMost(PATIENCE)
        .until(() -> server.fetch(operation).json().get("state").asText().equals("DONE"));
    assertThat(server.fetch(operation).json().get("changed").asInt()).isEqualTo(FAILED - 1);
    assertThat(Duration.between(start, Instant.now())).isGreaterThan(Duration.ofSeconds(1));
    await()
        .atMost(PATIENCE)
        .until(() -> items(server, LETTERS + "?topic=etl&open=true").size() == FAILED - 1);

    int all = items(server, LETTERS).size();
    assertThat(all).isEqualTo(FAILED + 2 + FAILED - 1);
    JsonNode young = server.post(LETTERS + "/purge", "{\"older_than\": \"1h\"}").json();
    assertThat(young.get("removed").asInt()).isZero();
    JsonNode purged = server.post(LETTERS + "/purge", "{\"older_than\": \"1ms\"}").json();
    assertThat(purged.get("removed").asInt()).isEqualTo(all);
    assertThat(purged.get("open").asInt()).isEqualTo(FAILED);
    assertThat(items(server, LETTERS)).isEmpty();
  }

  private static JsonNode items(Running server, String path) {
    return server.fetch(path).json().get("items");
  }

  private static JsonNode task(Running server, JsonNode id) {
    return server.fetch("/api/v1/tasks/" + id.asText()).json();
  }

  private static void failAll(ForgedWorker worker) {
    Set<String> known = new HashSet<>();
    try {
      while (true) {
        for (Dispatch dispatch : worker.assigned()) {
          if (known.add(dispatch.getDispatchId())) {
            worker.say(failed(dispatch));
          }
        }
        Thread.sleep(10);
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private static AgentMessage failed(Dispatch dispatch) {
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
                        .setExit(Exit.newBuilder().setCode(3))))
        .build();
  }
}
