package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActCommandsTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";

  @TempDir Path home;
  private FakeServer server;
  private Shell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new Shell(home).server(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void submit_sends_the_flags_and_prints_only_the_id() {
    server.on(
        "POST /api/v1/tasks", Said.json("{\"id\":\"%s\",\"state\":\"SCHEDULED\"}".formatted(ID)));

    var result =
        shell.run(
            "submit",
            "--name=n",
            "--env",
            "A=b=c",
            "--env",
            "E=",
            "--priority=7",
            "--pool=p",
            "--label",
            "team=data",
            "--retry=3",
            "--timeout=10m",
            "--deadline=2h",
            "--delay=5m",
            "--on-worker-lost",
            "fail",
            "--fencing",
            "strict",
            "--stall-timeout=5m",
            "--stop-grace=30s",
            "--idempotency-key",
            "k1",
            "--",
            "/bin/echo",
            "-n",
            "@file",
            "--help",
            "tasks");

    assertThat(result.out()).isEqualTo(ID + "\n");
    var asked = server.only("/api/v1/tasks");
    assertThat(asked.header("Idempotency-key")).isEqualTo("k1");
    assertThat(asked.body())
        .isEqualTo(
            "{\"command\":[\"/bin/echo\",\"-n\",\"@file\",\"--help\",\"tasks\"],\"name\":\"n\","
                + "\"execution_timeout\":\"10m\",\"stall_timeout\":\"5m\",\"stop_grace\":\"30s\","
                + "\"deadline\":\"2h\",\"delay\":\"5m\",\"on_worker_lost\":\"fail\","
                + "\"fencing\":\"strict\",\"pool\":\"p\",\"env\":{\"A\":\"b=c\",\"E\":\"\"},"
                + "\"labels\":{\"team\":\"data\"},\"priority\":7,\"retry\":{\"max\":3}}");
  }

  @Test
  void submit_wait_prints_the_log_and_fails_unless_it_succeeded() {
    server.on(
        "POST /api/v1/tasks", Said.json("{\"id\":\"%s\",\"state\":\"SCHEDULED\"}".formatted(ID)));
    server.on(
        "GET /api/v1/tasks/" + ID,
        Said.json(
            """
            {"id":"%s","state":"FAILED","attempts":1,"reason":"exit code 3","created_at":"2026-03-01T12:00:00Z",
             "ended_at":"2026-03-01T12:00:01.5Z"}
            """
                .formatted(ID)));
    server.on("GET /api/v1/tasks/" + ID + "/logs", Said.text("some output\n"));

    var result = shell.run("submit", "--wait", "--", "false");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out())
        .isEqualTo(
            "%s\nsome output\nFAILED after 1.500s: exit code 3 (details: belay task %s)\n"
                .formatted(ID, ID));
  }

  @Test
  void ctrl_c_while_waiting_for_a_task_detaches_and_says_how_to_go_on() {
    server.on(
        "POST /api/v1/tasks", Said.json("{\"id\":\"%s\",\"state\":\"SCHEDULED\"}".formatted(ID)));
    server.on(
        "GET /api/v1/tasks/" + ID,
        any -> {
          shell.signals.first().complete("INT");
          return Said.json("{\"state\":\"SCHEDULED\",\"attempts\":0}");
        });

    var result = shell.run("submit", "--wait", "--", "sleep", "9");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(result.status()).isEqualTo(130);
    assertThat(result.err())
        .isEqualTo(
            "Detached; the task continues. Follow it: belay logs -f %s\nEnd it: belay cancel %s\n"
                .formatted(ID, ID));
  }

  @Test
  void submit_without_anything_to_do_is_refused_with_an_example() {
    var result = shell.run("submit");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("belay submit -- /bin/echo hi");
  }

  @Test
  void what_the_server_finds_wrong_is_told_field_by_field() {
    server.on(
        "POST /api/v1/tasks",
        Said.problem(
            422,
            """
            {"title":"Unprocessable","status":422,"detail":"The task is not valid",
             "errors":[{"field":"priority","message":"must be between 1 and 100"}]}
            """));

    var result = shell.run("submit", "--priority", "500", "--", "true");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo("priority: must be between 1 and 100\nbelay: The task is not valid.\n");
  }

  @Test
  void trigger_sends_parameters_as_text_for_the_server_to_read() {
    server.on(
        "POST /api/v1/workflows/etl/runs",
        Said.json("{\"id\":\"%s\",\"state\":\"QUEUED\"}".formatted(ID)));

    var result = shell.run("trigger", "etl", "--param", "day=2026-01-01", "--param", "n=3");

    assertThat(result.out()).isEqualTo(ID + "\n");
    assertThat(server.only("/api/v1/workflows/etl/runs").body())
        .isEqualTo("{\"params\":{\"day\":\"2026-01-01\",\"n\":\"3\"}}");
  }

  @Test
  void cancel_tries_a_run_when_there_is_no_such_task() {
    server.on("POST /api/v1/runs/" + ID + "/cancel", new Said(202, "application/json", "{}"));

    var result = shell.run("cancel", ID);
    assertThat(result.status()).isZero();
    assertThat(result.out()).isEqualTo("The run %s will be cancelled.\n".formatted(ID));
  }

  @Test
  void note_is_attached_and_removed() {
    var path = "POST /api/v1/tasks/" + ID + "/note";
    server.on(path, new Said(200, "application/json", "{\"note\":\"ask\"}"));
    assertThat(shell.run("note", ID, "ask").out()).contains(ID + " has a new note.");
    server.on(path, new Said(200, "application/json", "{\"note\":\"\"}"));
    assertThat(shell.run("note", ID, "").out()).contains(ID + " has no note any more.");
  }

  @Test
  void cancel_of_what_is_over_says_so() {
    server.on(
        "POST /api/v1/tasks/" + ID + "/cancel",
        Said.problem(409, "{\"detail\":\"The task is SUCCEEDED already\"}"));

    var result = shell.run("cancel", ID);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("belay: The task is SUCCEEDED already.\n");
  }

  @Test
  void retry_tells_how_many_tasks_are_tried_again() {
    server.on(
        "POST /api/v1/runs/" + ID + "/retry",
        new Said(
            202,
            "application/json",
            "{\"id\":\"%s\",\"answer\":\"retrying\",\"tasks\":2}".formatted(ID)));

    var result = shell.run("retry", ID);

    assertThat(result.status()).isZero();
    assertThat(result.out()).isEqualTo("Retrying the run %s with 2 tasks.\n".formatted(ID));
    assertThat(shell.run("retry", ID, "-o", "json").out()).contains("retrying");
    assertThat(shell.run("retry", "x").status()).isEqualTo(2);
  }

  @Test
  void retry_of_what_cannot_be_retried_says_so() {
    server.on(
        "POST /api/v1/runs/" + ID + "/retry",
        Said.problem(409, "{\"detail\":\"The run is SUCCEEDED. There is nothing to retry.\"}"));

    var result = shell.run("retry", ID);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("belay: The run is SUCCEEDED. There is nothing to retry.\n");
  }

  @Test
  void worker_that_will_not_come_back_is_removed() {
    server.on(
        "POST /api/v1/workers/w1/remove", Said.json("{\"id\":\"w1\",\"answer\":\"removed\"}"));
    assertThat(shell.run("remove-worker", "w1").out())
        .isEqualTo("The worker w1 is removed. Its tasks are retried elsewhere.\n");
    assertThat(shell.run("remove-worker", "w1", "-o", "json").out()).contains("removed");
  }

  @Test
  void pause_and_resume_say_what_is_so_now() {
    server.on(
        "POST /api/v1/workflows/etl/pause",
        Said.json(
            "{\"name\":\"etl\",\"paused\":true,\"paused_at\":\"2026-01-01T00:00:00Z\","
                + "\"paused_by\":\"ann\"}"));
    server.on(
        "POST /api/v1/workflows/etl/resume", Said.json("{\"name\":\"etl\",\"paused\":false}"));

    assertThat(shell.run("pause", "etl").out())
        .startsWith("The workflow etl is paused since 2026-01-01")
        .contains(" by ann. ");
    assertThat(shell.run("pause", "etl", "-o", "json").out()).contains("\"paused\"");
    assertThat(shell.run("resume", "etl", "--tenant", "t").out())
        .isEqualTo("The workflow etl is not paused. Waiting runs start, the oldest first.\n");
    assertThat(shell.run("pause", "nope").status()).isEqualTo(1);
  }

  @Test
  void a_bad_file_is_told_by_line_and_column_without_a_server() throws IOException {
    var file =
        Files.writeString(
            home.resolve("bad.yaml"), "name: x\ntasks:\n  - name: a\n    comand: [true]\n");
    var good =
        Files.writeString(
            home.resolve("good.yaml"), "name: x\ntasks:\n  - name: a\n    command: [\"true\"]\n");

    var result = shell.run("validate", good.toString(), file.toString());

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEqualTo(good + ": valid, workflow x with 1 task\n");
    assertThat(result.err()).contains(file + ":4:5: ").contains("comand").contains("command");
    assertThat(server.asked).isEmpty();
  }

  @Test
  void register_sends_the_file_as_it_is() throws IOException {
    var file = Files.writeString(home.resolve("w.yaml"), "name: w # ä\n");
    server.on(
        "POST /api/v1/workflows",
        new Said(
            201,
            "application/json",
            "{\"name\":\"w\",\"version\":2,\"task_count\":1,\"created\":true}"));

    var result = shell.run("register", file.toString());

    assertThat(result.out()).isEqualTo("w version 2\n");
    assertThat(server.only("/api/v1/workflows").body()).isEqualTo("name: w # ä\n");
  }

  @Test
  void a_missing_file_is_a_usage_error_that_names_it() {
    var result = shell.run("register", home.resolve("none.yaml").toString());

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains("Cannot read " + home.resolve("none.yaml") + ": there is no such file.");
  }

  @Test
  void wait_ready_waits_for_the_file_and_then_for_the_server() throws Exception {
    shell.env.remove("BELAY_SERVER");
    var folder = Files.createDirectories(home.resolve(".belay/lite"));
    var readyAfter = new java.util.concurrent.atomic.AtomicInteger(2);
    server.on(
        "GET /readyz",
        any -> readyAfter.decrementAndGet() > 0 ? Said.problem(503, "{}") : Said.json("{}"));
    var token = Files.writeString(folder.resolve("token"), "t");
    var appearing =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    dev.belay.cli.client.Endpoint.here(
                            java.net.URI.create(server.url()), token, java.time.Clock.systemUTC())
                        .write(folder);
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });

    var result = shell.run("wait-ready");

    appearing.join();
    assertThat(result.status()).isZero();
    assertThat(result.out()).isEqualTo("ready: " + server.url() + "\n");
    assertThat(Files.getPosixFilePermissions(folder.resolve("endpoint.json"))).hasSize(2);
  }

  @Test
  void wait_ready_gives_up_after_its_time() {
    shell.env.remove("BELAY_SERVER");

    var result = shell.run("wait-ready", "--timeout", "50ms");

    assertThat(result.status()).isEqualTo(3);
    assertThat(result.err()).contains("No Belay was ready within 50ms.");
  }

  @Test
  void an_endpoint_of_a_dead_process_is_no_server() throws Exception {
    shell.env.remove("BELAY_SERVER");
    var folder = Files.createDirectories(home.resolve(".belay/lite"));
    var dead = new ProcessBuilder("true").start();
    dead.waitFor();
    new dev.belay.cli.client.Endpoint(
            java.net.URI.create(server.url()),
            new dev.belay.cli.client.OsProcess(dead.pid(), Shell.NOW),
            folder.resolve("token"))
        .write(folder);

    assertThat(shell.run("tasks").status()).isEqualTo(3);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void an_endpoint_whose_process_id_was_given_to_another_process_is_no_server() throws Exception {
    shell.env.remove("BELAY_SERVER");
    var folder = Files.createDirectories(home.resolve(".belay/lite"));
    var token = Files.writeString(folder.resolve("token"), "t");
    var here =
        dev.belay.cli.client.Endpoint.here(
            java.net.URI.create(server.url()), token, java.time.Clock.systemUTC());
    new dev.belay.cli.client.Endpoint(
            here.url(),
            new dev.belay.cli.client.OsProcess(
                here.process().pid(), here.process().startedAt().minusSeconds(3)),
            token)
        .write(folder);

    assertThat(shell.run("tasks").status()).isEqualTo(3);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void the_replica_of_a_cluster_that_lives_is_asked() throws Exception {
    shell.env.remove("BELAY_SERVER");
    var folder = Files.createDirectories(home.resolve(".belay/lite"));
    var token = Files.writeString(folder.resolve("token"), "t");
    var here = ProcessHandle.current();
    Files.writeString(
        folder.resolve("cluster.json"),
        """
        {"token_file": "%s", "replicas": [
          {"url": "http://127.0.0.1:1", "pid": %d, "started_at": "2020-01-01T00:00:00Z"},
          {"url": "%s", "pid": %d, "started_at": "%s"}]}
        """
            .formatted(
                token,
                here.pid(),
                server.url(),
                here.pid(),
                here.info().startInstant().orElseThrow()));
    server.on("GET /api/v1/tasks", Said.json("{\"items\":[],\"next\":null}"));

    assertThat(shell.run("tasks").status()).isZero();
    assertThat(server.asked).hasSize(1);
  }

  @Test
  void a_server_that_cannot_serve_for_a_moment_is_asked_again() {
    server.on("POST /api/v1/tasks", firstUnavailable(Said.json("{\"id\":\"%s\"}".formatted(ID))));
    server.on(
        "GET /api/v1/tasks/" + ID,
        firstUnavailable(
            Said.json("{\"id\":\"%s\",\"state\":\"SUCCEEDED\",\"attempts\":1}".formatted(ID))));
    server.on("GET /api/v1/tasks/" + ID + "/logs", firstUnavailable(Said.text("hello\n")));

    var result = shell.run("submit", "--wait", "--", "x");

    assertThat(result.err()).isEmpty();
    assertThat(result.status()).isZero();
    assertThat(result.out()).isEqualTo(ID + "\nhello\nSUCCEEDED\n");
  }

  private static java.util.function.Function<FakeServer.Asked, Said> firstUnavailable(Said then) {
    var first = new java.util.concurrent.atomic.AtomicBoolean(true);
    return any ->
        first.getAndSet(false)
            ? Said.problem(503, "{\"detail\":\"The database cannot be reached\"}")
            : then;
  }

  @Test
  void a_server_that_is_no_address_keeps_an_agent_from_starting() throws IOException {
    var token = Files.writeString(home.resolve("join-token"), "t").toString();
    for (String bad : java.util.List.of("ftp://host:1", "http://", ":8080")) {
      var result =
          shell.run(
              "agent", "--server", bad, "--join-token-file", token, "--dir", home + "/worker");

      assertThat(result.status()).as(bad).isEqualTo(2);
      assertThat(result.err()).contains("--server is not the address of a server");
    }
    assertThat(home.resolve("worker")).doesNotExist();
  }

  @Test
  void a_database_that_cannot_be_used_is_told_without_its_password() {
    for (String url :
        java.util.List.of("jdbc:nosuch://x/y?password=hush", "jdbc:postgresql:%%?password=hush")) {
      var result = shell.run("server", "--database-url", url, "--user", "u", "--dir", home + "/s");

      assertThat(result.status()).as(result.err()).isEqualTo(3);
      assertThat(result.err()).contains("cannot be used").doesNotContain("hush");
    }
  }

  @Test
  void a_pool_without_connections_is_refused() {
    var result =
        shell.run(
            "server",
            "--database-url",
            "jdbc:x",
            "--user",
            "u",
            "--dir",
            home + "/s",
            "--pool-size",
            "0");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("database-connections must be between 6 and 1000, not 0.");
  }

  @Test
  void a_mistyped_command_gets_a_suggestion() {
    var result = shell.run("sumbit");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("belay: There is no command \"sumbit\". Did you mean submit?\n");
  }

  @Test
  void every_command_has_help_with_an_example() {
    var commands =
        shell
            .run("--help")
            .out()
            .lines()
            .dropWhile(line -> !line.equals("Commands:"))
            .skip(1)
            .takeWhile(line -> !line.isBlank())
            .filter(line -> line.matches("  [a-z].*"))
            .map(line -> line.strip().split(" ")[0])
            .filter(name -> !name.equals("help"))
            .toList();

    assertThat(commands)
        .contains("run", "lite", "server", "agent", "submit", "task", "wait-ready", "prove");
    for (var command : commands) {
      var help = shell.run(command, "--help");
      assertThat(help.status()).as(command).isZero();
      assertThat(help.out()).as(command).contains("Examples:").contains("belay ");
    }
  }

  @Test
  void what_needs_a_clone_points_to_its_launcher() {
    assertThat(shell.run("prove", "recovery").err()).contains("./belay prove recovery");
    assertThat(shell.run("simulate", "--seed", "7").err()).contains("./belay simulate --seed 7");
    assertThat(shell.run("fuzz", "--seed", "7").err()).contains("./belay fuzz --seed 7");
  }
}
