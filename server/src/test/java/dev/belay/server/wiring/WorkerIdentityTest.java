package dev.belay.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.embedded.testing.TestPostgres;
import dev.belay.protocol.agent.v1.Acked;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.server.ServerSettings;
import dev.belay.session.wire.WorkerKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A holder of the join token cannot harm the workers of others. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class WorkerIdentityTest {

  private static final WorkerKey KEY = WorkerKey.random(new Random(1));
  private static final WorkerKey OTHER = WorkerKey.random(new Random(2));
  private static final long YEAR_9999_MS = 253_370_764_800_000L;

  private final UUID id = UUID.randomUUID();
  private Running server;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    var postgres = TestPostgres.freshDatabase();
    server =
        Running.start(
            "a",
            folder,
            new ServerSettings.Database(postgres.jdbcUrl(), postgres.user(), postgres.password()),
            "worker-unread-max=100KiB");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private ForgedWorker call() {
    return ForgedWorker.call(server.port(), server.joinToken());
  }

  private ForgedWorker real() {
    return call().say(ForgedWorker.hello(id, KEY).setName(id.toString())).welcomed();
  }

  @Test
  void somebody_without_the_key_is_refused_and_the_worker_does_not_notice() {
    var real = real();
    for (int i = 0; i < 3; i++) {
      var thief = ForgedWorker.hello(id, OTHER).setStartedAtMs(YEAR_9999_MS).setSessionNumber(99);
      var reject = call().say(thief.setName("thief")).rejected();
      assertThat(reject.getPermanent()).isTrue();
      assertThat(reject.getReason()).contains("another key", "belay workers allow " + id);
    }
    real.heartbeats(1);
    assertThat(server.fetch("/metrics").text())
        .contains("belay_hellos_refused_total{why=\"wrong_key\"} 3.0");
    var alerts = server.fetch("/api/v1/alerts").json().path("items");
    assertThat(alerts).hasSize(1);
    assertThat(alerts.path(0).path("kind").asText()).isEqualTo("worker_key_refused");
    assertThat(alerts.path(0).path("detail").asText())
        .contains("worker " + id + " (" + id + ")", "127.0.0.1")
        .doesNotContain("thief");
  }

  @Test
  void worker_whose_clock_is_in_the_year_9999_is_shown_by_our_clock() {
    var worker = UUID.randomUUID();
    call().say(ForgedWorker.hello(worker, KEY).setStartedAtMs(YEAR_9999_MS)).welcomed();
    for (var one : server.fetch("/api/v1/workers").json().path("items")) {
      assertThat(one.path("started_at").asText()).doesNotStartWith("9999");
    }
    var back = ForgedWorker.hello(worker, KEY).setStartedAtMs(1).setSessionNumber(2);
    call().say(back).welcomed().heartbeats(1);
  }

  @Test
  void hello_out_of_bounds_ends_its_own_stream_only() {
    var real = call().say(ForgedWorker.hello(UUID.randomUUID(), KEY)).welcomed();
    var hello = ForgedWorker.hello(UUID.randomUUID(), KEY);
    assertThat(call().say(hello.clone().setSlots(Integer.MAX_VALUE)).rejected().getReason())
        .contains("slots");
    assertThat(call().say(hello.clone().addPools("a\0")).rejected().getReason()).contains("pools");
    var many = Collections.nCopies(100_000, "a");
    assertThat(call().say(hello.clone().addAllPools(many)).rejected().getReason())
        .contains("pools");
    assertThat(call().say(hello.clone().addAllCapabilities(many)).rejected().getReason())
        .contains("capabilities");
    assertThat(call().say(hello.clone().addCapabilities("")).rejected().getReason())
        .contains("capabilities");
    assertThat(call().say(hello.clone().setMemoryBytes(-1)).rejected().getReason())
        .contains("memory_bytes");
    assertThat(server.fetch("/api/v1/workers").text())
        .as("nothing of a refused hello is stored")
        .doesNotContain(hello.getWorkerId());
    assertThat(call().say(hello.clone().clearKey()).rejected().getReason()).contains("update it");
    var acked = Acked.newBuilder().addDispatchIds("no UUID");
    assertThat(call().say(AgentMessage.newBuilder().setAcked(acked).build()).ended())
        .contains("malformed");
    assertThat(call().say(AgentMessage.getDefaultInstance()).ended()).contains("must be a hello");
    assertThat(call().say(hello.clone()).welcomed().say(hello.clone()).ended())
        .contains("a second hello");
    var nan = Heartbeat.newBuilder().setNumber(1).setCpuPercent(Double.NaN);
    var other = ForgedWorker.hello(UUID.randomUUID(), KEY);
    assertThat(
            call()
                .say(other)
                .welcomed()
                .say(AgentMessage.newBuilder().setHeartbeat(nan).build())
                .ended())
        .contains("cpu_percent");
    real.heartbeats(1);
  }

  @Test
  void revoked_worker_is_cut_and_stays_out_until_it_is_allowed() {
    var worker = UUID.randomUUID();
    var hello = ForgedWorker.hello(worker, KEY).setName("to be revoked");
    var stream = call().say(hello).welcomed();
    assertThat(server.post("/api/v1/workers/to%20be%20revoked/revoke", "{}").status())
        .isEqualTo(200);
    assertThat(stream.ended()).contains("superseded");
    assertThat(server.post("/api/v1/workers/" + worker + "/revoke", "{}").status()).isEqualTo(200);
    var back = call().say(hello.setSessionNumber(2)).rejected();
    assertThat(back.getPermanent()).isTrue();
    assertThat(back.getReason()).contains("was revoked", "belay workers allow " + worker);
    assertThat(server.fetch("/api/v1/workers").text()).contains("REVOKED");
    assertThat(server.post("/api/v1/workers/" + worker + "/allow", "{}").status()).isEqualTo(200);
    call().say(hello.setSessionNumber(3)).welcomed();
    assertThat(server.post("/api/v1/workers/" + UUID.randomUUID() + "/revoke", "{}").status())
        .isEqualTo(404);
  }

  @Test
  void worker_that_does_not_read_is_cut_and_counted() {
    var deaf = ForgedWorker.call(server.port(), server.joinToken(), false);
    deaf.say(ForgedWorker.hello(UUID.randomUUID(), KEY).addPools("deaf").setSlots(100));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server.fetch("/api/v1/workers").text().contains("\"deaf\""));
    var task =
        "{\"command\": [\"true\"], \"pool\": \"deaf\", \"env\": {\"BIG\": \"%s\"}}"
            .formatted("x".repeat(60_000));
    var body = "{\"tasks\": [" + String.join(",", Collections.nCopies(100, task)) + "]}";
    assertThat(server.post("/api/v1/tasks", body).status()).isLessThan(300);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server.fetch("/metrics").text().contains("belay_workers_unread_total 1.0"));
    call().say(ForgedWorker.hello(UUID.randomUUID(), KEY)).welcomed().heartbeats(1);
  }
}
