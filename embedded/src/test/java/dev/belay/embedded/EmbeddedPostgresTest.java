package dev.belay.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.belay.embedded.testing.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
  private static final Duration WARM_START_MAX = Duration.ofSeconds(5);

  @TempDir Path temp;

  @Test
  void restart_keeps_data_and_password_and_is_quick() throws Exception {
    EmbeddedSettings settings =
        EmbeddedSettings.persistent(temp.resolve("new"), TestPostgres.binariesFolder());
    String password;
    try (EmbeddedPostgres server = TestPostgres.start(settings)) {
      assertThat(server.isAlive()).isTrue();
      password = server.password();
      execute(server, "CREATE TABLE kept AS SELECT 42 AS answer");
    }
    assertThat(ChildJvm.processesOf(settings.dataFolder())).isEmpty();
    long before = System.nanoTime();
    try (EmbeddedPostgres server = TestPostgres.start(settings)) {
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(WARM_START_MAX);
      assertThat(server.password()).isEqualTo(password);
      assertThat(ask(server, "SELECT answer FROM kept")).isEqualTo("42");
      assertThat(Files.readString(settings.dataFolder().resolve("server.log")))
          .doesNotContain("not properly shut down");
    }
  }

  @Test
  void durable_by_default_and_reachable_only_by_loopback_with_the_password() throws Exception {
    EmbeddedSettings settings = persistent();
    try (EmbeddedPostgres server = TestPostgres.start(settings)) {
      assertThat(ask(server, "SHOW fsync")).isEqualTo("on");
      assertThat(ask(server, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(ask(server, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(ask(server, "SHOW unix_socket_directories")).isEmpty();
      // From the file, because a JDBC session has its client's time zone.
      assertThat(ask(server, "SELECT setting FROM pg_file_settings WHERE name = 'timezone'"))
          .isEqualTo("UTC");
      assertThatThrownBy(
              () -> DriverManager.getConnection(server.jdbcUrl(), server.user(), "guess"))
          .hasMessageContaining("password authentication failed");
      Path password = settings.dataFolder().resolve("password");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void ephemeral_server_leaves_nothing_and_never_takes_a_folder_with_content() throws Exception {
    Path data = temp.resolve("ephemeral");
    EmbeddedSettings settings = EmbeddedSettings.ephemeral(data, TestPostgres.binariesFolder());
    try (EmbeddedPostgres server = TestPostgres.start(settings)) {
      assertThat(ask(server, "SHOW fsync")).isEqualTo("off");
    }
    assertThat(data).doesNotExist();
    Files.createDirectory(data);
    Path precious = Files.writeString(data.resolve("precious"), "mine");
    assertThatThrownBy(() -> TestPostgres.start(settings))
        .isInstanceOf(EmbeddedPostgresFailed.class)
        .hasMessageContaining("not empty");
    assertThat(precious).hasContent("mine");
  }

  @Test
  void killed_server_is_started_again_on_the_same_port_while_its_folder_stays_held()
      throws Exception {
    EmbeddedSettings settings = persistent();
    var starts = new LinkedBlockingQueue<EmbeddedPostgres>();
    try (SupervisedPostgres kept = TestPostgres.keep(settings, starts::add)) {
      EmbeddedPostgres first = starts.take();
      execute(first, "CREATE TABLE kept AS SELECT 42 AS answer");
      try (Connection busy = connect(first)) {
        // A busy backend does not notice that its parent died: the watchdog must end it.
        Thread query = Thread.ofVirtual().start(() -> spin(busy));
        await().until(() -> spinning(first));
        ProcessHandle.of(first.pid()).orElseThrow().destroyForcibly();
        query.join();
      }
      EmbeddedPostgres second = starts.poll(30, TimeUnit.SECONDS);
      assertThat(second).isNotNull().isNotSameAs(first);
      assertThat(second.jdbcUrl()).isEqualTo(kept.jdbcUrl()).isEqualTo(first.jdbcUrl());
      assertThat(second.password()).isEqualTo(kept.password()).isEqualTo(first.password());
      assertThat(ask(second, "SELECT answer FROM kept")).isEqualTo("42");
      assertThatThrownBy(() -> TestPostgres.start(settings)).hasMessageContaining("is in use");

      Files.delete(settings.dataFolder().resolve("data").resolve("PG_VERSION"));
      ProcessHandle.of(second.pid()).orElseThrow().destroyForcibly();
      assertThat(kept.onGone().toCompletableFuture().get(30, TimeUnit.SECONDS))
          .contains("its database is gone");
    }
    await().untilAsserted(() -> assertThat(ChildJvm.processesOf(settings.dataFolder())).isEmpty());
  }

  @Test
  void pauses_between_starts_double_up_to_a_bound() {
    assertThat(IntStream.of(0, 1, 2, 3, 6, 1_000).mapToObj(SupervisedPostgres::pause))
        .extracting(Duration::toSeconds)
        .containsExactly(0L, 1L, 2L, 4L, 30L, 30L);
  }

  @Test
  void killed_watchdog_takes_the_server_along() throws Exception {
    EmbeddedSettings settings = persistent();
    try (EmbeddedPostgres server = TestPostgres.start(settings)) {
      parentOf(server).destroyForcibly();
      server.onExit().toCompletableFuture().get(3, TimeUnit.SECONDS);
      await()
          .atMost(Duration.ofSeconds(3))
          .untilAsserted(() -> assertThat(ChildJvm.processesOf(settings.dataFolder())).isEmpty());
    }
  }

  @Test
  void watchdog_that_no_longer_listens_is_replaced_by_an_end_of_the_server() throws Exception {
    EmbeddedSettings settings = persistent();
    try (EmbeddedPostgres server = TestPostgres.start(settings)) {
      ProcessHandle watchdog = parentOf(server);
      watchdog
          .children()
          .filter(child -> child.pid() != server.pid())
          .forEach(ProcessHandle::destroyForcibly);
      server.onExit().toCompletableFuture().get(10, TimeUnit.SECONDS);
      assertThat(ChildJvm.processesOf(settings.dataFolder())).isEmpty();
    }
  }

  @Test
  void interrupt_key_does_not_reach_the_server() throws Exception {
    try (EmbeddedPostgres server = TestPostgres.start(persistent())) {
      ProcessHandle watchdog = parentOf(server);
      String[] stat = Files.readString(Path.of("/proc/" + watchdog.pid() + "/stat")).split(" ");
      String session = stat[5];
      assertThat(session).isEqualTo(String.valueOf(watchdog.pid()));
    }
  }

  private static ProcessHandle parentOf(EmbeddedPostgres server) {
    return ProcessHandle.of(server.pid()).flatMap(ProcessHandle::parent).orElseThrow();
  }

  @Test
  void second_start_in_this_jvm_is_refused_and_does_not_free_the_first() throws Exception {
    EmbeddedSettings settings = persistent();
    try (EmbeddedPostgres server = TestPostgres.start(settings)) {
      for (int attempt = 1; attempt <= 2; attempt++) {
        assertThatThrownBy(() -> TestPostgres.start(settings))
            .isInstanceOf(EmbeddedPostgresFailed.class)
            .hasMessageContaining("pid " + ProcessHandle.current().pid());
      }
      try (ChildJvm other = ChildJvm.start(settings.dataFolder(), settings.binariesFolder())) {
        assertThat(other.awaitLine("refused")).contains("pid " + ProcessHandle.current().pid());
      }
      assertThat(ask(server, "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void taken_port_is_named() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path data = temp.resolve("data");
      EmbeddedSettings settings =
          EmbeddedSettings.ephemeral(data, TestPostgres.binariesFolder())
              .withPort(taken.getLocalPort());
      assertThatThrownBy(() -> TestPostgres.start(settings))
          .isInstanceOf(EmbeddedPostgresFailed.class)
          .hasMessageContaining("Port " + taken.getLocalPort() + " on 127.0.0.1 is in use");
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void broken_cluster_fails_with_the_servers_own_words() throws Exception {
    EmbeddedSettings settings = persistent();
    TestPostgres.start(settings).close();
    Files.delete(settings.dataFolder().resolve("data/global/pg_control"));
    assertThatThrownBy(() -> TestPostgres.start(settings))
        .isInstanceOf(EmbeddedPostgresFailed.class)
        .hasMessageContaining("ended with status")
        .hasMessageContaining("pg_control");
    assertThat(ChildJvm.processesOf(settings.dataFolder())).isEmpty();
  }

  @Test
  void folders_that_cannot_be_used_are_named() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "no folder");
    assertThatThrownBy(
            () -> TestPostgres.start(EmbeddedSettings.persistent(temp.resolve("data"), file)))
        .isInstanceOf(EmbeddedPostgresFailed.class)
        .hasMessageContaining("could not be unpacked into " + file);
    // Not a question of permissions, which do not stop root.
    Path impossible = Path.of("/proc/belay");
    assertThatThrownBy(
            () ->
                TestPostgres.start(
                    EmbeddedSettings.persistent(impossible, TestPostgres.binariesFolder())))
        .isInstanceOf(EmbeddedPostgresFailed.class)
        .hasMessageContaining("The data folder " + impossible + " cannot be used");
  }

  private EmbeddedSettings persistent() throws Exception {
    return EmbeddedSettings.persistent(
        FreshCluster.copiedTo(temp.resolve("data")), TestPostgres.binariesFolder());
  }

  private static Connection connect(EmbeddedPostgres server) throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
  }

  private static void spin(Connection connection) {
    try {
      connection.createStatement().execute("DO $$ BEGIN LOOP END LOOP; END $$");
    } catch (SQLException expected) {
      assertThat(expected.getMessage()).contains("I/O error");
    }
  }

  private static boolean spinning(EmbeddedPostgres server) throws SQLException {
    String count =
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO%' AND state='active'";
    return ask(server, count).equals("1");
  }

  private static void execute(EmbeddedPostgres server, String sql) throws SQLException {
    try (Connection connection = connect(server)) {
      connection.createStatement().execute(sql);
    }
  }

  private static String ask(EmbeddedPostgres server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        var rows = connection.createStatement().executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
