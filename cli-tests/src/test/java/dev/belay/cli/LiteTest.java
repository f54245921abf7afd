package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A whole Belay, used as a person would. */
@Execution(ExecutionMode.CONCURRENT)
class LiteTest {

  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  @TempDir Path home;
  private Path data;
  private Path tmp;
  private Shell shell;

  @BeforeEach
  void prepare() throws IOException {
    data = home.resolve("data");
    tmp = Files.createDirectory(home.resolve("tmp"));
    shell = new Shell(home).home(data);
    shell.env.put("TMPDIR", tmp.toString());
  }

  @AfterEach
  void unlink() throws IOException {
    shell.unlink();
  }

  @Test
  void lite_serves_alone_in_its_folder_and_stops_in_order() throws Exception {
    try (var lite = belay("lite", "--port", "0").awaitOut("ready at")) {
      assertThat(shell.run("submit", "--wait", "--", "true").status()).isZero();

      try (var second = belay("lite", "--port", "0")) {
        assertThat(second.awaitExit()).isEqualTo(3);
        assertThat(second.err())
            .contains("is in use by another belay lite (process " + lite.pid() + ")");
      }

      var stop = shell.run("stop");
      assertThat(stop.status()).as(stop.err()).isZero();
      assertThat(stop.out()).isEqualTo("Stopped lite (process %d).\n".formatted(lite.pid()));
      assertThat(lite.awaitExit()).as(lite.err()).isZero();
      assertThat(shell.run("stop").out()).startsWith("No Belay process runs in " + data);
    }
    assertThat(data.resolve("endpoint.json")).doesNotExist();
    assertThat(data.resolve("processes")).isEmptyDirectory();
    assertThat(Files.getPosixFilePermissions(data.resolve("token"))).hasSize(2);
  }

  @Test
  void a_postgres_that_is_killed_is_started_again_and_the_run_under_way_ends_well()
      throws Exception {
    var marks = home.resolve("marks.txt");
    var file =
        workflow(
            """
            name: outlives
            tasks:
              - name: first
                command: [sh, -c, "echo first >> %1$s"]
              - name: during
                command: [sh, -c, "echo during >> %1$s; while [ -e %2$s ]; do sleep 0.05; done"]
                depends_on: [first]
              - name: last
                command: [sh, -c, "echo last >> %1$s"]
                depends_on: [during]
            """
                .formatted(marks, Files.createFile(home.resolve("hold"))));
    try (var lite = belay("lite", "--port", "0").awaitOut("ready at")) {
      assertThat(shell.run("register", file).status()).isZero();
      assertThat(shell.run("trigger", "outlives").status()).isZero();
      await(() -> Files.exists(marks) && Files.readString(marks).contains("during"));
      killPostgres();
      // It ends while there is no database to record that.
      Files.delete(home.resolve("hold"));

      await(() -> Files.readString(marks).contains("last"));
      await(() -> shell.run("runs").out().contains("SUCCEEDED"));
      assertThat(Files.readAllLines(marks)).containsExactly("first", "during", "last");
      assertThat(shell.run("wait-ready").status()).isZero();

      Files.delete(data.resolve("postgres").resolve("data").resolve("PG_VERSION"));
      killPostgres();
      assertThat(lite.awaitExit()).isEqualTo(3);
      assertThat(lite.err()).contains("its database is gone").contains("start lite again");
    }
    assertThat(data.resolve("endpoint.json")).doesNotExist();
  }

  private void killPostgres() throws IOException {
    var pidFile = data.resolve("postgres").resolve("data").resolve("postmaster.pid");
    long postgres = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
    ProcessHandle.of(postgres).orElseThrow().destroyForcibly();
  }

  private static void await(Callable<Boolean> reached) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(reached);
  }

  @Test
  void a_port_in_use_is_told_with_a_way_out_and_leaves_nothing_running() throws Exception {
    try (var taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
        var lite = belay("lite", "--port", Integer.toString(taken.getLocalPort()))) {
      assertThat(lite.awaitExit()).isEqualTo(3);
      assertThat(lite.err())
          .contains("Port " + taken.getLocalPort() + " is in use")
          .contains("--port 0")
          .doesNotContain("\tat ");
    }
    assertThat(data.resolve("endpoint.json")).doesNotExist();
  }

  @Test
  @ResourceLock(Shell.LOGGING)
  void run_starts_a_server_of_its_own_and_removes_it() throws Exception {
    var file =
        workflow(
            """
            name: own
            params: {n: {type: int, default: 1}}
            tasks:
              - name: first
                command: [sh, -c, "exit ${{ params.n }}"]
              - name: second
                command: ["true"]
                depends_on: [first]
            """);

    var good = shell.run("run", file, "--param", "n=0", "-o", "json");
    assertThat(good.err()).contains("first  SUCCEEDED").contains("second  SUCCEEDED");
    assertThat(good.status()).isZero();
    var report = new JsonMapper().readTree(good.out());
    assertThat(report.path("run").path("state").asText()).isEqualTo("SUCCEEDED");
    assertThat(report.path("overhead_ms").asInt())
        .isEqualTo(report.path("wall_ms").asInt() - report.path("critical_path_ms").asInt());
    assertThat(leftovers()).isEmpty();

    var bad = shell.run("run", file);
    assertThat(bad.status()).isEqualTo(1);
    assertThat(bad.out()).contains("✗ first FAILED").contains("second  UPSTREAM_FAILED");
    assertThat(leftovers()).isEmpty();
  }

  @Test
  @ResourceLock(Shell.LOGGING)
  void folders_of_killed_runs_are_removed_by_the_next_run() throws Exception {
    var killed = Files.createDirectory(tmp.resolve("belay-run-killed"));
    Files.createFile(killed.resolve("lite.lock"));
    var old = Files.createDirectory(tmp.resolve("belay-run-old"));
    Files.setLastModifiedTime(old, FileTime.from(Shell.NOW.minusSeconds(61)));
    var starting = Files.createDirectory(tmp.resolve("belay-run-starting"));
    var used = Files.createDirectory(tmp.resolve("belay-run-used"));
    var outside = Files.createDirectory(home.resolve("outside"));
    Files.createFile(outside.resolve("lite.lock"));
    Files.createSymbolicLink(tmp.resolve("belay-run-link"), outside);

    try (var _ = belay("lite", "--port", "0", "--dir", used.toString()).awaitOut("ready at")) {
      var result = shell.run("run", workflow("name: w\ntasks: [{name: t, command: ['true']}]\n"));
      assertThat(result.status()).as(result.err()).isZero();
    }
    assertThat(List.of(killed, old)).noneMatch(Files::exists);
    assertThat(List.of(starting, used.resolve("token"), outside.resolve("lite.lock")))
        .allMatch(Files::exists);
  }

  @Test
  void root_without_user_namespaces_runs_a_workflow_and_keeps_its_secrets() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")));
    var seen = home.resolve("seen.txt");
    shell.env.remove("BELAY_HOME");
    shell.env.put("PATH", programsWithoutUnshare() + ":" + System.getenv("PATH"));
    for (var folder : List.of(home, tmp)) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
    Files.createDirectory(home.resolve(".belay"), PRIVATE);
    shell.link(Files.createDirectory(tmp.resolve("belay-root-postgres")).resolve("binaries"));
    var file =
        workflow(
            """
            name: closed
            tasks:
              - name: look
                command: [sh, -c, "cd %s/belay-run-* && stat -c '%%a %%n' . * > %s"]
            """
                .formatted(tmp, seen));

    try (var run = belay("run", file)) {
      assertThat(run.awaitExit()).as(run.err()).isZero();
    }
    assertThat(Files.readAllLines(seen))
        .contains("711 .", "700 logs", "700 worker", "700 postgres")
        .contains("600 token", "600 join-token", "600 belay.log", "600 lite.lock");
    assertThat(leftovers()).isEmpty();

    try (var lite = belay("lite", "--port", "0")) {
      assertThat(lite.awaitExit()).isEqualTo(3);
      assertThat(lite.err())
          .contains("cannot pass " + home.resolve(".belay"), "export BELAY_HOME=/var/lib/belay");
    }
  }

  /** As in a container: unshare exists but is not permitted. */
  private Path programsWithoutUnshare() throws IOException {
    var folder = Files.createDirectory(home.resolve("programs"));
    var unshare = Files.writeString(folder.resolve("unshare"), "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(unshare, PosixFilePermissions.fromString("rwxr-xr-x"));
    return folder;
  }

  @Test
  void ctrl_c_cancels_a_run_on_its_own_server_and_leaves_nothing() throws Exception {
    var pidFile = home.resolve("task.pid");
    var file =
        workflow(
            """
            name: long
            tasks:
              - name: sleeper
                command: [sh, -c, "echo $$ > %s.part && mv %s.part %s && exec sleep 300"]
            """
                .formatted(pidFile, pidFile, pidFile));

    try (var run = belay("run", file)) {
      Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> Files.exists(pidFile));
      run.signal("INT");
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(130);
      assertThat(run.out()).contains("CANCELLED");
    }
    long task = Long.parseLong(Files.readString(pidFile).strip());
    assertThat(ProcessHandle.of(task)).isEmpty();
    assertThat(leftovers()).isEmpty();
  }

  private BelayProcess belay(String... args) throws IOException {
    return new BelayProcess(home, shell.env, args);
  }

  private String workflow(String text) throws IOException {
    return Files.writeString(home.resolve("w.yaml"), text).toString();
  }

  private List<Path> leftovers() throws IOException {
    try (var files = Files.list(tmp)) {
      return files.filter(file -> file.getFileName().toString().startsWith("belay-run-")).toList();
    }
  }
}
