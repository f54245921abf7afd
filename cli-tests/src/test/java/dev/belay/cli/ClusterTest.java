package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A cluster of real processes, used as a person would. */
@Execution(ExecutionMode.CONCURRENT)
class ClusterTest {

  @TempDir Path home;
  private final JsonMapper mapper = new JsonMapper();
  private final List<Process> started = new ArrayList<>();
  private Path folder;
  private Shell shell;

  @BeforeEach
  void prepare() throws IOException {
    folder = home.resolve("cluster");
    shell = new Shell(home).home(folder);
  }

  @AfterEach
  void leaveNothing() throws IOException {
    shell.run("cluster", "down", "--dir", folder.toString());
    shell.unlink();
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void a_cluster_outlives_its_command_its_replica_and_its_database_and_ends_as_a_whole()
      throws Exception {
    var up = cluster("up", "--replicas", "1", "--agents", "1", "-o", "json");
    assertThat(up.status()).as(up.err()).isZero();
    var cluster = mapper.readTree(up.out());
    long replica = cluster.path("replicas").path(0).path("pid").asLong();
    assertThat(submit()).contains(" hi\n").contains("SUCCEEDED after");

    var again = cluster("up");
    assertThat(again.status()).isEqualTo(3);
    assertThat(again.err()).contains("A cluster runs in " + folder + " already");

    kill("-KILL", replica);
    Awaitility.await().until(() -> cluster("status").status() == 1);
    assertThat(cluster("status").out()).containsPattern("replica-1 +" + replica + " +ended");

    var restarted = cluster("start-replica", "--replica", "1");
    assertThat(restarted.status()).as(restarted.err()).isZero();
    assertThat(cluster("start", "--replica", "1").err()).contains("replica-1 runs already");
    assertThat(submit()).contains(" hi\n").contains("SUCCEEDED after");

    startDatabaseWhileAReplicaWaits();

    var processes = pids(mapper.readTree(cluster("status", "-o", "json").out()));
    assertThat(processes).hasSize(4).allMatch(ClusterTest::isAlive);
    assertThat(cluster("down").status()).isZero();
    // This process is their parent and sees them until it has reaped them.
    Awaitility.await().until(() -> processes.stream().noneMatch(ClusterTest::isAlive));
    assertThat(folder.resolve("cluster.json")).doesNotExist();
    assertThat(cluster("down").status()).isZero();
  }

  private void startDatabaseWhileAReplicaWaits() throws Exception {
    var cluster = mapper.readTree(cluster("status", "-o", "json").out());
    long keeper = cluster.path("database").path("keeper").path("pid").asLong();
    kill("-KILL", cluster.path("replicas").path(0).path("pid").asLong());
    kill("-TERM", keeper);
    Awaitility.await().until(() -> !isAlive(keeper));

    var another = new Shell(home);
    var replica =
        CompletableFuture.supplyAsync(
            () -> another.run("cluster", "start", "--dir", folder.toString(), "--replica", "1"));
    String url = cluster.path("replicas").path(0).path("url").asText();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> read(url + "/healthz").contains("waits for its database"));
    var database = cluster("start", "--database");

    assertThat(database.status()).as(database.err()).isZero();
    assertThat(replica.get(60, TimeUnit.SECONDS).status()).isZero();
  }

  private static String read(String url) {
    try (var client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
          .body();
    } catch (IOException notYet) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  @Test
  void a_start_that_fails_says_which_log_to_read_and_leaves_no_process() throws Exception {
    var up =
        cluster("up", "--replicas", "1", "--database-url", "jdbc:postgresql://127.0.0.1:1/none");

    assertThat(up.status()).isEqualTo(3);
    assertThat(up.err())
        .contains("The database jdbc:postgresql://127.0.0.1:1/none cannot be used")
        .contains("replica-1 ended before it was ready. Read " + folder.resolve("logs"));
    assertThat(folder.resolve("cluster.json")).doesNotExist();
  }

  @Test
  void a_process_that_took_over_the_id_of_a_member_is_left_alone() throws Exception {
    var stranger = sleep();
    write(stranger.pid(), startOf(stranger).minusSeconds(60));

    assertThat(cluster("status").out()).contains("ended");
    assertThat(cluster("down").status()).isZero();

    assertThat(stranger.isAlive()).isTrue();
  }

  @Test
  void a_frozen_member_is_shown_and_ended() throws Exception {
    var member = sleep();
    write(member.pid(), startOf(member));
    kill("-STOP", member.pid());
    Awaitility.await().until(() -> cluster("status").out().contains("frozen"));

    assertThat(cluster("down").status()).isZero();

    assertThat(member.waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void where_no_cluster_runs_status_says_how_to_start_one() {
    var status = cluster("status");
    assertThat(status.status()).isEqualTo(1);
    assertThat(status.err()).contains("No cluster runs in " + folder, "belay cluster up");
    assertThat(shell.run("cluster").err()).contains("A command is missing: up, status");
    assertThat(cluster("up", "--replicas", "0").status()).isEqualTo(2);
  }

  private Shell.Result cluster(String command, String... more) {
    var words = new ArrayList<>(List.of("cluster", command, "--dir", folder.toString()));
    words.addAll(List.of(more));
    return shell.run(words.toArray(String[]::new));
  }

  private String submit() {
    var submitted = shell.run("submit", "--wait", "--", "/bin/echo", "hi");
    return submitted.out() + submitted.err();
  }

  private Process sleep() throws IOException {
    var process = new ProcessBuilder("sleep", "600").start();
    started.add(process);
    return process;
  }

  private static Instant startOf(Process process) {
    return process.info().startInstant().orElseThrow();
  }

  /** A cluster whose only process is this replica. */
  private void write(long pid, Instant startedAt) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("cluster.json"),
        """
        {"database": {"url": "jdbc:postgresql://127.0.0.1:1/none", "user": "belay"},
         "replicas": [{"name": "replica-1", "pid": %d, "started_at": "%s", "port": 1,
                       "url": "http://127.0.0.1:1"}],
         "agents": [], "slots": 1, "token_file": "token"}
        """
            .formatted(pid, startedAt));
  }

  private static List<Long> pids(JsonNode cluster) {
    var pids = new ArrayList<Long>();
    cluster.findValues("pid").forEach(pid -> pids.add(pid.asLong()));
    return pids;
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  private static void kill(String signal, long pid) throws Exception {
    new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor();
  }
}
