package dev.belay.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.belay.embedded.testing.TestPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills real JVMs. */
@Execution(ExecutionMode.CONCURRENT)
class KilledJvmTest {
  private static final Duration GONE_MAX = Duration.ofSeconds(3);

  @TempDir Path temp;

  @BeforeAll
  static void unpack() throws EmbeddedPostgresFailed {
    ServerBinaries.unpacked(TestPostgres.binariesFolder());
  }

  @Test
  void killed_jvm_leaves_no_process_not_even_a_busy_one() throws Exception {
    Path data = FreshCluster.copiedTo(temp.resolve("data"));
    try (ChildJvm jvm = start(data)) {
      ChildJvm.Ready server = jvm.awaitReady();
      try (Connection busy = server.connect()) {
        Thread query = Thread.ofVirtual().start(() -> spin(busy));
        assertThat(ChildJvm.processesOf(data)).hasSizeGreaterThan(5);
        jvm.kill();
        awaitNothingOf(data);
        query.join();
      }
    }
  }

  @Test
  void next_jvm_may_start_at_once_and_recovers() throws Exception {
    Path data = FreshCluster.copiedTo(temp.resolve("data"));
    try (ChildJvm first = start(data)) {
      execute(first.awaitReady(), "CREATE TABLE kept AS SELECT 42 AS answer");
      first.kill();
      try (ChildJvm second = start(data)) {
        assertThat(answer(second.awaitReady())).isEqualTo(42);
      }
    }
    awaitNothingOf(data);
  }

  @Test
  void everything_killed_at_once_and_the_next_start_recovers() throws Exception {
    Path data = FreshCluster.copiedTo(temp.resolve("data"));
    try (ChildJvm jvm = start(data)) {
      ChildJvm.Ready server = jvm.awaitReady();
      execute(server, "CREATE TABLE kept AS SELECT 42 AS answer");
      // Frozen first; otherwise the watchdog could stop the server in order before it is killed.
      freeze(List.of(jvm.process().toHandle()));
      List<ProcessHandle> victims = ChildJvm.processesOf(data);
      freeze(victims);
      victims.forEach(ProcessHandle::destroyForcibly);
      jvm.process().destroyForcibly();
      awaitNothingOf(data);
    }
    assertThat(data.resolve("data/postmaster.pid")).exists();
    // As if another process had got its pid.
    List<String> lines = new ArrayList<>(Files.readAllLines(data.resolve("data/postmaster.pid")));
    lines.set(0, String.valueOf(ProcessHandle.current().pid()));
    Files.write(data.resolve("data/postmaster.pid"), lines);
    try (ChildJvm jvm = start(data)) {
      assertThat(answer(jvm.awaitReady())).isEqualTo(42);
    }
  }

  @Test
  void server_without_jvm_and_watchdog_is_ended_by_the_next_start() throws Exception {
    Path data = FreshCluster.copiedTo(temp.resolve("data"));
    try (ChildJvm jvm = start(data)) {
      ChildJvm.Ready server = jvm.awaitReady();
      execute(server, "CREATE TABLE kept AS SELECT 42 AS answer");
      // A spinning backend and a postmaster that cannot act: only the next start cleans up.
      try (Connection busy = server.connect()) {
        Thread query = Thread.ofVirtual().start(() -> spin(busy));
        await().until(() -> busyBackend(server) > 0);
        long backend = busyBackend(server);
        freeze(List.of(jvm.process().toHandle()));
        List<ProcessHandle> others =
            ChildJvm.processesOf(data).stream().filter(each -> each.pid() != backend).toList();
        // Frozen first; otherwise one of them could end the backend before it is killed.
        freeze(others);
        jvm.process().destroyForcibly();
        others.forEach(ProcessHandle::destroyForcibly);
        await().until(() -> ChildJvm.processesOf(data).stream().allMatch(p -> p.pid() == backend));
        assertThat(ChildJvm.processesOf(data)).hasSize(1);
        try (ChildJvm next = start(data)) {
          assertThat(answer(next.awaitReady())).isEqualTo(42);
        }
        query.join();
      }
    }
    awaitNothingOf(data);
  }

  /**
   * A process that ended since the listing (a backend, a sleep of the watchdog) counts as frozen.
   */
  private static void freeze(List<ProcessHandle> processes) throws Exception {
    for (ProcessHandle each : processes) {
      var kill = new ProcessBuilder("kill", "-STOP", String.valueOf(each.pid())).start();
      assertThat(kill.waitFor() == 0 || !each.isAlive()).as("frozen: " + each.info()).isTrue();
    }
  }

  /** From before the first step of a start until after the last: nothing may remain. */
  @ParameterizedTest
  @ValueSource(ints = {50, 250, 500, 800, 1100})
  void jvm_killed_during_its_start_leaves_no_process(int millis) throws Exception {
    Path data = temp.resolve("data");
    try (ChildJvm jvm = start(data)) {
      jvm.awaitLine("starting");
      jvm.process().waitFor(millis, TimeUnit.MILLISECONDS);
      jvm.kill();
      if (Files.exists(data)) {
        awaitNothingOf(data);
      }
    }
    if (millis == 500) {
      try (ChildJvm jvm = start(data)) {
        execute(jvm.awaitReady(), "CREATE TABLE works ()");
      }
    }
  }

  @Test
  void ephemeral_folder_goes_with_its_killed_jvm() throws Exception {
    Path data = temp.resolve("data");
    try (ChildJvm jvm = ChildJvm.startEphemeral(data, TestPostgres.binariesFolder())) {
      jvm.awaitReady();
      jvm.kill();
      await().atMost(GONE_MAX).untilAsserted(() -> assertThat(data).doesNotExist());
    }
  }

  @Test
  void runs_as_an_ordinary_user() throws Exception {
    assumeRoot();
    Path home = Files.createDirectory(temp.resolve("home"));
    own(home, 65_534);
    List<String> nobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    Path data = home.resolve("data");
    try (ChildJvm jvm =
        ChildJvm.start(nobody, readableClassPath(), data, TestPostgres.binariesFolder())) {
      ChildJvm.Ready server = jvm.awaitReady();
      assertThat(Files.getAttribute(Path.of("/proc/" + server.pid()), "unix:uid"))
          .isEqualTo(65_534);
      execute(server, "CREATE TABLE works ()");
      jvm.kill();
      awaitNothingOf(data);
    }
  }

  @Test
  void root_runs_the_server_as_the_owner_of_its_folder() throws Exception {
    assumeRoot();
    // Root still owns the content: the start must change its owner.
    Path data = FreshCluster.copiedTo(temp.resolve("data"));
    own(data, 65_534);
    for (int time = 1; time <= 2; time++) {
      try (ChildJvm jvm = start(data)) {
        ChildJvm.Ready server = jvm.awaitReady();
        assertThat(Files.getAttribute(Path.of("/proc/" + server.pid()), "unix:uid"))
            .isEqualTo(65_534);
        execute(server, "CREATE TABLE IF NOT EXISTS works ()");
        jvm.kill();
        awaitNothingOf(data);
      }
    }
  }

  private static void assumeRoot() {
    assumeThat(System.getProperty("user.name"))
        .as("only root can start a JVM of another user: skipped")
        .isEqualTo("root");
  }

  private void own(Path folder, int uid) throws IOException {
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setAttribute(folder, "unix:uid", uid);
    Files.setAttribute(folder, "unix:gid", uid);
  }

  /** The local repository may be in root's private home. */
  private String readableClassPath() throws IOException {
    List<String> copies = new ArrayList<>();
    Path root = Files.createDirectory(temp.resolve("classpath"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path from = Path.of(entry);
      Path to = root.resolve(copies.size() + "-" + from.getFileName());
      if (Files.isDirectory(from)) {
        Trees.copy(from, to);
      } else if (entry.endsWith(".jar")) {
        Files.copy(from, to);
      }
      copies.add(to.toString());
    }
    try (var paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  private static ChildJvm start(Path data) throws IOException {
    return ChildJvm.start(data, TestPostgres.binariesFolder());
  }

  private static void awaitNothingOf(Path data) {
    await()
        .atMost(GONE_MAX)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(ChildJvm.processesOf(data)).isEmpty());
  }

  private static void spin(Connection connection) {
    try {
      connection.createStatement().execute("DO $$ BEGIN LOOP END LOOP; END $$");
    } catch (SQLException expected) {
      assertThat(expected.getMessage()).isNotEmpty();
    }
  }

  private static long busyBackend(ChildJvm.Ready server) throws SQLException {
    return number(
        server, "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE query LIKE 'DO%'");
  }

  private static void execute(ChildJvm.Ready server, String sql) throws SQLException {
    try (Connection connection = server.connect()) {
      connection.createStatement().execute(sql);
    }
  }

  private static long answer(ChildJvm.Ready server) throws SQLException {
    return number(server, "SELECT answer FROM kept");
  }

  private static long number(ChildJvm.Ready server, String sql) throws SQLException {
    try (Connection connection = server.connect();
        var rows = connection.createStatement().executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }
}
