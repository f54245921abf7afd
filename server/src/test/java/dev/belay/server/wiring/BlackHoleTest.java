package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.embedded.testing.TestPostgres;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.Results;
import dev.belay.server.ServerSettings;
import dev.belay.session.wire.WorkerKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that fails everything at once, among good ones, with two replicas. */
@Timeout(180)
class BlackHoleTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TASKS = 300;

  @TempDir Path folder;

  private final List<Worker> workers = new ArrayList<>();

  @Test
  void it_is_set_aside_by_the_leader_although_another_replica_hears_its_failures()
      throws Exception {
    var found = TestPostgres.freshDatabase();
    var database = new ServerSettings.Database(found.jdbcUrl(), found.user(), found.password());
    try (var leader = Running.start("leader", folder, database, "routable-silence=80s")) {
      await().atMost(PATIENCE).until(leader::leads);
      try (var other = Running.start("other", folder, database, "routable-silence=80s")) {
        var bad = join(other, "bad", 1, 0);
        for (int i = 0; i < 3; i++) {
          join(leader, "good-" + i, 0, 50);
        }
        var task =
            "{\"command\": [\"true\"], \"retry\": {\"max\": 50, \"backoff\": {\"initial\":"
                + " \"100ms\", \"max\": \"100ms\"}}}";
        var body = "{\"tasks\": [" + String.join(",", Collections.nCopies(TASKS, task)) + "]}";
        var submitted = leader.post("/api/v1/tasks", body);
        assertThat(submitted.status()).as(submitted.text()).isLessThan(300);

        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    leader
                            .fetch("/api/v1/tasks?state=SUCCEEDED&limit=500")
                            .json()
                            .path("items")
                            .size()
                        == TASKS);
        assertThat(bad.answered.get()).isBetween(10, 20);
        assertThat(leader.fetch("/api/v1/alerts").text())
            .contains("worker_set_aside", "worker bad is set aside: ", "belay workers trust bad");
        assertThat(leader.fetch("/metrics").text()).contains("belay_worker_set_aside 1.0");
        assertThat(other.fetch("/metrics").text())
            .contains("belay_worker_set_aside 0.0", "belay_worker_slots 4.0");

        int before = bad.answered.get();
        assertThat(other.post("/api/v1/workers/bad/trust", "").json().path("answer").asText())
            .isEqualTo("trusted");
        assertThat(other.post("/api/v1/workers/bad/trust", "").json().path("answer").asText())
            .isEqualTo("not_set_aside");
        assertThat(other.post("/api/v1/workers/nobody/trust", "").status()).isEqualTo(404);
        leader.post("/api/v1/tasks", body);
        await()
            .atMost(PATIENCE)
            .until(() -> leader.fetch("/api/v1/alerts").text().split("is set aside: ").length > 2);
        assertThat(bad.answered.get() - before).as("its failures count anew").isBetween(10, 20);
      } finally {
        workers.forEach(worker -> worker.thread.interrupt());
      }
    }
  }

  private Worker join(Running replica, String name, int code, long takesMs) {
    var hello =
        ForgedWorker.hello(UUID.randomUUID(), WorkerKey.random(new Random(1))).setName(name);
    var stream = ForgedWorker.call(replica.port(), replica.joinToken());
    var worker = new Worker(stream, hello, code, takesMs);
    workers.add(worker);
    return worker;
  }

  /** Answers each dispatch after a while. */
  private static final class Worker {
    final AtomicInteger answered = new AtomicInteger();
    final Thread thread;

    Worker(ForgedWorker stream, Hello.Builder hello, int code, long takesMs) {
      stream.say(hello).welcomed();
      thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    Set<String> known = new HashSet<>();
                    try {
                      while (true) {
                        for (Dispatch dispatch : stream.assigned()) {
                          if (known.add(dispatch.getDispatchId())) {
                            Thread.sleep(takesMs);
                            answered.incrementAndGet();
                            stream.say(finished(dispatch, code));
                          }
                        }
                        Thread.sleep(1);
                      }
                    } catch (InterruptedException over) {
                      Thread.currentThread().interrupt();
                    }
                  });
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
}
