package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {

  private static final String RUN = "01928f7e-7c4b-7d1e-9a52-000000000001";
  private static final String A = "01928f7e-7c4b-7d1e-9a52-00000000000a";
  private static final String B = "01928f7e-7c4b-7d1e-9a52-00000000000b";

  @TempDir Path home;
  private FakeServer server;
  private Shell shell;
  private Path file;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new Shell(home).server(server);
    file =
        Files.writeString(
            home.resolve("two.yaml"),
            """
            name: two
            params: {x: {type: int, default: 1}}
            tasks:
              - name: a
                command: [a]
              - name: b
                command: [b]
                depends_on: [a]
            """);
    server.on("POST /api/v1/workflows", Said.json("{\"name\":\"two\",\"version\":4}"));
    server.on(
        "POST /api/v1/workflows/two/runs",
        Said.json("{\"id\":\"%s\",\"state\":\"QUEUED\"}".formatted(RUN)));
    server.on(
        "GET /api/v1/runs/" + RUN,
        asked -> Said.json(asked.query().isEmpty() ? open() : ended("SUCCEEDED")));
    server.on("GET /api/v1/tasks", Said.json(tasks("SUCCEEDED")));
    server.on("GET /api/v1/tasks/" + A + "/attempts", Said.json(attempts("00.100", "01.100")));
    server.on("GET /api/v1/tasks/" + B + "/attempts", Said.json(attempts("01.200", "01.700")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_run_that_succeeds_shows_one_line_for_each_change_and_exits_zero() {
    var result = shell.run("run", file.toString(), "--param", "x=1");

    assertThat(result.status()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            12:00:01.110  a  SUCCEEDED in 1.000s
            12:00:01.710  b  SUCCEEDED in 500ms
            Run %s of two: SUCCEEDED after 2.000s (2 SUCCEEDED)
            """
                .formatted(RUN));
    assertThat(server.only("/api/v1/workflows/two/runs").body())
        .isEqualTo("{\"params\":{\"x\":\"1\"},\"version\":4}");
  }

  @Test
  void parameters_that_do_not_fit_are_refused_before_anything_is_stored() {
    var result = shell.run("run", file.toString(), "--param", "nope=1", "--param", "x=y");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("unknown parameter").contains("nothing was started");
    assertThat(server.asked).isEmpty();
  }

  @Test
  void no_slots_are_refused() {
    var result = shell.run("run", file.toString(), "--slots", "0");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("--slots must be between 1 and");
    assertThat(server.asked).isEmpty();
  }

  @Test
  void a_server_that_restarts_at_every_step_does_not_end_the_watch() {
    var told = new java.util.concurrent.atomic.AtomicInteger();
    server.on(
        "GET /api/v1/runs/" + RUN,
        asked ->
            asked.query().isEmpty()
                ? Said.json(open())
                : told.incrementAndGet() < 3
                    ? Said.problem(503, "{\"detail\":\"no database\"}")
                    : Said.json(ended("SUCCEEDED")));
    var listed = new java.util.concurrent.atomic.AtomicInteger();
    server.on(
        "GET /api/v1/tasks",
        asked ->
            listed.incrementAndGet() % 2 == 1
                ? Said.problem(503, "{}")
                : Said.json(tasks("SUCCEEDED")));

    var result = shell.run("run", file.toString());

    assertThat(result.status()).as(result.err()).isZero();
  }

  @Test
  void json_output_is_one_document_with_the_overhead() throws IOException {
    var result = shell.run("run", file.toString(), "-o", "json");

    var report = new JsonMapper().readTree(result.out());
    assertThat(report.path("run").path("id").asText()).isEqualTo(RUN);
    assertThat(report.path("tasks")).hasSize(2);
    assertThat(report.path("wall_ms").asInt()).isEqualTo(2000);
    assertThat(report.path("critical_path_ms").asInt()).isEqualTo(1500);
    assertThat(report.path("overhead_ms").asInt()).isEqualTo(500);
  }

  @Test
  void a_run_that_fails_shows_the_end_of_the_log_and_exits_one() {
    server.on(
        "GET /api/v1/runs/" + RUN,
        asked -> Said.json(asked.query().isEmpty() ? open() : ended("FAILED")));
    server.on("GET /api/v1/tasks", Said.json(tasks("FAILED")));
    var log = new StringBuilder();
    for (int i = 1; i <= 30; i++) {
      log.append("line ").append(i).append('\n');
    }
    server.on("GET /api/v1/tasks/" + B + "/logs", Said.text(log.toString()));

    var result = shell.run("run", file.toString());

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .contains("✗ b FAILED: because\n  task %s, its log: belay logs %s\n".formatted(B, B))
        .contains("\n  | line 11\n")
        .contains("  | line 30\n")
        .doesNotContain("line 10\n")
        .contains("FAILED after 2.000s (1 FAILED, 1 SUCCEEDED)");
    assertThat(server.asked).anyMatch(asked -> asked.query().equals("tail=4096"));
  }

  @Test
  void a_log_that_cannot_be_read_now_does_not_hide_the_end_of_the_run() {
    server.on(
        "GET /api/v1/runs/" + RUN,
        asked -> Said.json(asked.query().isEmpty() ? open() : ended("FAILED")));
    server.on("GET /api/v1/tasks", Said.json(tasks("FAILED")));
    server.on("GET /api/v1/tasks/" + B + "/logs", Said.problem(503, "{\"detail\":\"too busy\"}"));

    var result = shell.run("run", file.toString());

    assertThat(result.status()).as(result.err()).isEqualTo(1);
    assertThat(result.out())
        .contains("  | (log not available)\n")
        .contains("FAILED after 2.000s (1 FAILED, 1 SUCCEEDED)");
  }

  @Test
  void escape_sequences_in_a_bad_file_do_not_reach_the_terminal() throws IOException {
    Files.writeString(file, "\"\\e[2J\\u009b2J\": 1\n\"\\e[2J\\u009b2J\": 2\n");
    for (String command : new String[] {"run", "validate"}) {
      var result = shell.run(command, file.toString());
      assertThat(result.status()).isEqualTo(2);
      assertThat(result.err()).contains("duplicate key").doesNotContain("\u001b", "\u009b");
    }
  }

  @Test
  void a_bad_file_exits_two_and_no_server_is_asked() throws IOException {
    Files.writeString(file, "name: two\ntasks: []\n");

    var result = shell.run("run", file.toString());

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).containsPattern("two.yaml:\\d+:\\d+: ");
    assertThat(server.asked).isEmpty();
  }

  @Test
  void a_named_server_that_is_down_exits_three_and_no_other_is_started() {
    server.close();

    assertThat(shell.run("run", file.toString()).status()).isEqualTo(3);
    assertThat(home.resolve(".belay")).doesNotExist();
  }

  @Test
  void ctrl_c_detaches_from_a_run_on_a_shared_server() {
    var release = new CountDownLatch(1);
    server.on(
        "GET /api/v1/runs/" + RUN,
        asked -> {
          if (!asked.query().isEmpty()) {
            shell.signals.first().complete("INT");
            await(release);
          }
          return Said.json(open());
        });

    var result = shell.run("run", file.toString());
    release.countDown();

    assertThat(result.status()).isEqualTo(130);
    assertThat(result.err())
        .isEqualTo(
            "Detached; the run continues. Follow it: belay show %s\nEnd it: belay cancel %s\n"
                .formatted(RUN, RUN));
    assertThat(server.asked).noneMatch(asked -> asked.path().endsWith("/cancel"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String open() {
    return "{\"id\":\"%s\",\"workflow\":\"two\",\"state\":\"RUNNING\",\"created_at\":\"2026-03-01T12:00:00Z\",\"ended_at\":null}"
        .formatted(RUN);
  }

  private static String ended(String state) {
    return "{\"id\":\"%s\",\"workflow\":\"two\",\"state\":\"%s\",\"reason\":\"\",\"created_at\":\"2026-03-01T12:00:00Z\",\"ended_at\":\"2026-03-01T12:00:02Z\"}"
        .formatted(RUN, state);
  }

  /** The newest first, as the API lists them. */
  private static String tasks(String stateOfB) {
    return """
    {"items":[
     {"id":"%s","name":"b","state":"%s","reason":"because","attempts":1,"state_since":"2026-03-01T12:00:01.710Z",
      "started_at":"2026-03-01T12:00:01.200Z","ended_at":"2026-03-01T12:00:01.700Z"},
     {"id":"%s","name":"a","state":"SUCCEEDED","reason":"exit code 0","attempts":1,"state_since":"2026-03-01T12:00:01.110Z",
      "started_at":"2026-03-01T12:00:00.100Z","ended_at":"2026-03-01T12:00:01.100Z"}],"next":null}
    """
        .formatted(B, stateOfB, A);
  }

  private static String attempts(String from, String to) {
    return "{\"items\":[{\"number\":1,\"started_at\":\"2026-03-01T12:00:%sZ\",\"ended_at\":\"2026-03-01T12:00:%sZ\"}]}"
        .formatted(from, to);
  }
}
