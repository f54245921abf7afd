package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The contract on an external PostgreSQL, two replicas and two agents, each a process. */
class ProEditionTest extends EditionContract {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final JsonMapper json = new JsonMapper();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Path folder = Path.of("");
  private Shell shell = new Shell(folder);

  @Override
  void start(Path home, Shell shell) throws IOException {
    this.folder = home.resolve("cluster");
    this.shell = shell;
    shell.env.put("BELAY_HOME", folder.toString());
    var database = TestPostgres.freshDatabase();
    var password = Files.writeString(home.resolve("password"), database.password());
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    cluster(
        "up",
        "--replicas",
        "2",
        "--agents",
        "2",
        "--database-url",
        database.jdbcUrl(),
        "--user",
        database.user(),
        "--password-file",
        password.toString());
  }

  @Override
  void killWorker() throws Exception {
    for (int number = 1; number <= 2; number++) {
      kill(members().path("agents").path(number - 1));
    }
    for (int number = 1; number <= 2; number++) {
      cluster("start", "--agent", Integer.toString(number));
    }
  }

  @Override
  void killServer() throws Exception {
    var leader = json.readTree(shell.run("info", "-o", "json").out()).path("leader").asText();
    var number = leader.replace("replica-", "");
    kill(members().path("replicas").path(Integer.parseInt(number) - 1));
    cluster("start", "--replica", number);
  }

  @Test
  void killed_or_frozen_leader_is_followed_by_the_other() throws Exception {
    Awaitility.await().until(() -> leads(0) != leads(1));
    int leader = leads(0) ? 0 : 1;
    int other = 1 - leader;
    long epoch = leaderOf(leader).path("epoch").asLong();

    signal("STOP", leader);
    assertThat(until(() -> leads(other))).isLessThan(Duration.ofSeconds(12));
    assertThat(leaderOf(other).path("epoch").asLong()).isEqualTo(epoch + 1);

    signal("CONT", leader);
    var name = "replica-" + (other + 1);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> leaderOf(leader).path("name").asText().equals(name));
    assertThat(leads(leader)).isFalse();
    assertThat(leads(other)).isTrue();

    signal("KILL", other);
    assertThat(until(() -> leads(leader))).isLessThan(Duration.ofSeconds(3));
    assertThat(leaderOf(leader).path("epoch").asLong()).isEqualTo(epoch + 2);
    cluster("start", "--replica", Integer.toString(other + 1));
  }

  private static Duration until(Callable<Boolean> holds) {
    long begun = System.nanoTime();
    Awaitility.await().pollInterval(Duration.ofMillis(20)).atMost(PATIENCE).until(holds);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private boolean leads(int replica) throws Exception {
    return leaderOf(replica).path("is_leader").asBoolean();
  }

  private JsonNode leaderOf(int replica) throws Exception {
    var url = members().path("replicas").path(replica).path("url").asText();
    var request =
        HttpRequest.newBuilder(URI.create(url + "/monitor/health"))
            .timeout(Duration.ofSeconds(5))
            .build();
    return json.readTree(client.send(request, BodyHandlers.ofString()).body()).path("leader");
  }

  private void signal(String name, int replica) throws Exception {
    var pid = members().path("replicas").path(replica).path("pid").asText();
    new ProcessBuilder("kill", "-" + name, pid).inheritIO().start().waitFor();
  }

  private JsonNode members() throws IOException {
    return json.readTree(folder.resolve("cluster.json").toFile());
  }

  private static void kill(JsonNode member) {
    var process = ProcessHandle.of(member.path("pid").asLong()).orElseThrow();
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  void stop() {
    cluster("down");
  }

  private void cluster(String command, String... more) {
    var words = new ArrayList<>(List.of("cluster", command, "--dir", folder.toString()));
    words.addAll(List.of(more));
    var done = shell.run(words.toArray(String[]::new));
    assertThat(done.status()).as(done.err()).isZero();
  }
}
