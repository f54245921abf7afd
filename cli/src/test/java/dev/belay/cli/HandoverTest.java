package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.embedded.testing.DatabaseAddress;
import dev.belay.embedded.testing.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two servers as processes on one database: whatever becomes of the leader, the other leads. */
@Execution(ExecutionMode.CONCURRENT)
class HandoverTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path home;

  private final DatabaseAddress database = TestPostgres.freshDatabase();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void killed_or_frozen_leader_is_followed_by_the_other() throws Exception {
    try (var first = server("a")) {
      await().atMost(PATIENCE).until(() -> leads(first));
      try (var second = server("b")) {
        await().atMost(PATIENCE).until(() -> leaderOf(second).path("name").asText().equals("a"));
        long epoch = leaderOf(first).path("epoch").asLong();

        first.signal("STOP");
        var frozenFor = until(() -> leads(second));
        assertThat(frozenFor).isLessThan(Duration.ofSeconds(12));
        assertThat(leaderOf(second).path("epoch").asLong()).isEqualTo(epoch + 1);

        first.signal("CONT");
        await().atMost(PATIENCE).until(() -> leaderOf(first).path("name").asText().equals("b"));
        assertThat(leads(first)).isFalse();
        assertThat(leads(second)).isTrue();

        second.signal("KILL");
        var deadFor = until(() -> leads(first));
        assertThat(deadFor).isLessThan(Duration.ofSeconds(3));
        assertThat(leaderOf(first).path("epoch").asLong()).isEqualTo(epoch + 2);
      }
    }
  }

  private static Duration until(java.util.concurrent.Callable<Boolean> holds) {
    long begun = System.nanoTime();
    await().pollInterval(Duration.ofMillis(20)).atMost(PATIENCE).until(holds);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private boolean leads(BelayProcess server) {
    return leaderOf(server).path("is_leader").asBoolean();
  }

  private JsonNode leaderOf(BelayProcess server) {
    try {
      var url = server.out().replaceFirst("(?s).*?(http://[0-9.:]+).*", "$1");
      var request =
          HttpRequest.newBuilder(URI.create(url + "/monitor/health"))
              .timeout(Duration.ofSeconds(5))
              .build();
      var body = client.send(request, BodyHandlers.ofString()).body();
      return new JsonMapper().readTree(body).path("leader");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private BelayProcess server(String name) throws IOException {
    var password = Files.writeString(home.resolve("password-" + name), database.password());
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    return new BelayProcess(
            home,
            Map.of("BELAY_HOME", home.resolve("home").toString()),
            "server",
            "--database-url",
            database.jdbcUrl(),
            "--user",
            database.user(),
            "--password-file",
            password.toString(),
            "--dir",
            home.resolve("server-" + name).toString(),
            "--port",
            "0",
            "--replica",
            name,
            "--set",
            "tick=500ms",
            "--pool-size",
            "6")
        .awaitOut("http://");
  }
}
