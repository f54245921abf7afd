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

class ReadCommandsTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";
  private static final String RUN = "01928f7e-7c4b-7d1e-9a52-000000000001";

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
  void tasks_are_a_table_of_aligned_columns() {
    server.on("GET /api/v1/tasks", Said.json(tasks("null")));

    var result = shell.run("tasks", "--state", "running,failed", "--name", "a b");

    assertThat(result.status()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            ID                                    NAME  STATE    SINCE   TRIES  WORKER  REASON
            01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11  load  RUNNING  5s ago  1      lite    started
            """);
    assertThat(server.only("/api/v1/tasks").query())
        .isEqualTo("state=RUNNING,FAILED&name=a b&limit=50");
  }

  @Test
  void the_next_replica_is_asked_when_one_cannot_serve_or_is_gone() throws IOException {
    String busy = "{\"title\":\"x\",\"detail\":\"The database cannot be reached now.\"}";
    server.on("GET /api/v1/tasks", Said.problem(503, busy));
    try (var second = new FakeServer()) {
      second.on("GET /api/v1/tasks", Said.json(tasks("null")));
      String gone = "http://127.0.0.1:1";

      var result = shell.run("tasks", "--server", gone + "," + server.url() + "," + second.url());

      assertThat(result.status()).as(result.err()).isZero();
      assertThat(result.out()).contains("RUNNING");
      second.on("GET /api/v1/tasks", Said.problem(503, busy.replace("now", "here")));
      var none = shell.run("tasks", "--server", server.url() + "," + second.url());
      assertThat(none.status()).isEqualTo(3);
      assertThat(none.err()).contains(second.url(), "The database cannot be reached here.");
    }
  }

  /** As behind a proxy that also serves other things. */
  @Test
  void a_server_may_be_below_a_path() throws IOException {
    server.on("GET /belay/api/v1/tasks", Said.json("{\"items\":[],\"next\":null}"));
    try (var second = new FakeServer()) {
      second.on("GET /other/way/api/v1/tasks", Said.json("{\"items\":[],\"next\":null}"));

      var one = shell.run("tasks", "--server", server.url() + "/belay/");
      assertThat(one.status()).as(one.err()).isZero();
      assertThat(server.only("/belay/api/v1/tasks").query()).contains("limit=");

      server.on("GET /belay/api/v1/tasks", Said.problem(503, "{\"title\":\"not now\"}"));
      var next = server.url() + "/belay," + second.url() + "/other/way";
      var other = shell.run("tasks", "--server", next);
      assertThat(other.status()).as(other.err()).isZero();
      assertThat(second.asked).hasSize(1);
    }
  }

  @Test
  void a_change_that_may_have_been_made_is_not_sent_to_another_replica() throws IOException {
    server.on("POST /api/v1/tasks/" + ID + "/cancel", Said.problem(500, "{\"detail\":\"broke\"}"));
    try (var second = new FakeServer()) {
      shell.run("cancel", ID, "--server", server.url() + "," + second.url());
      assertThat(second.asked).isEmpty();
    }
  }

  @Test
  void each_replica_gets_its_own_token_and_a_stranger_none() throws Exception {
    var folder = Files.createDirectories(home.resolve(".belay/lite"));
    var token = Files.writeString(folder.resolve("token"), "known");
    var here = ProcessHandle.current();
    Files.writeString(
        folder.resolve("cluster.json"),
        "{\"token_file\": \"%s\", \"replicas\": [{\"url\": \"%s\", \"pid\": %d, \"started_at\": \"%s\"}]}"
            .formatted(token, server.url(), here.pid(), here.info().startInstant().orElseThrow()));
    server.on("GET /api/v1/tasks", Said.problem(503, "{\"detail\":\"not now\"}"));
    try (var stranger = new FakeServer()) {
      stranger.on("GET /api/v1/tasks", Said.json(tasks("null")));

      shell.run("tasks", "--server", "http://127.0.0.1:1," + server.url() + "," + stranger.url());

      assertThat(server.only("/api/v1/tasks").header("Authorization")).isEqualTo("Bearer known");
      assertThat(stranger.only("/api/v1/tasks").header("Authorization")).isEmpty();

      shell.run("tasks", "--server", server.url() + "," + stranger.url());

      assertThat(stranger.asked)
          .hasSize(2)
          .allMatch(asked -> asked.header("Authorization").isEmpty());
    }
  }

  @Test
  void json_output_is_the_servers_own_objects() {
    server.on("GET /api/v1/tasks", Said.json(tasks("null")));

    var result = shell.run("tasks", "-o", "json");

    assertThat(result.out()).contains("\"unknown_to_this_client\" : 7").contains("\"next\" : null");
  }

  @Test
  void more_than_one_page_is_read_when_asked_for() {
    server.on(
        "GET /api/v1/tasks",
        asked -> Said.json(asked.query().contains("cursor=c2") ? tasks("null") : tasks("\"c2\"")));

    var result = shell.run("tasks", "--limit", "600");

    assertThat(result.out().lines()).hasSize(3);
    assertThat(server.asked.getLast().query()).isEqualTo("limit=500&cursor=c2");
  }

  @Test
  void a_page_that_is_empty_but_promises_more_does_not_loop_for_ever() {
    server.on("GET /api/v1/tasks", Said.json("{\"items\": [], \"next\": \"again\"}"));

    var result = shell.run("tasks");

    assertThat(result.status()).isZero();
    assertThat(result.err()).contains("No tasks match.");
  }

  @Test
  void escape_sequences_in_names_and_reasons_do_not_reach_the_terminal() {
    server.on(
        "GET /api/v1/tasks",
        Said.json(tasks("null").replace("\"started\"", "\"\\u001b[2Jgone\\nnext\"")));
    shell.terminal = true;

    var result = shell.run("tasks");

    assertThat(result.out()).contains("[2Jgone next").doesNotContain("\u001b[2J");
  }

  @Test
  void colours_appear_only_on_a_terminal_and_not_with_no_color() {
    server.on("GET /api/v1/tasks", Said.json(tasks("null")));

    assertThat(shell.run("tasks").out()).doesNotContain("\u001b");
    shell.terminal = true;
    assertThat(shell.run("tasks").out()).contains("\u001b[36mRUNNING\u001b[0m");
    shell.env.put("NO_COLOR", "1");
    assertThat(shell.run("tasks").out()).doesNotContain("\u001b");
  }

  @Test
  void the_life_of_a_task_is_told_with_times_reasons_and_exit_codes() {
    server.on(
        "GET /api/v1/tasks/" + ID,
        Said.json(
            """
            {"id":"%s","tenant":"default","run":"%s","workflow":"etl","name":"load","state":"SUCCEEDED",
             "pool":"default","priority":50,"attempts":2,"created_at":"2026-03-01T12:00:00Z",
             "error_count":1,"lost_count":0,"crash_count":2,"unavailable_count":3,"strict":true,"deadline_at":"2026-03-01T14:00:00Z",
             "ended_at":"2026-03-01T12:00:06.5Z","not_before":null,"work":{"argv":["/bin/load","a b"]}}
            """
                .formatted(ID, RUN)));
    server.on(
        "GET /api/v1/tasks/" + ID + "/history",
        Said.json(
            """
            {"items":[
             {"from":null,"to":"WAITING","reason":"created","actor":"api:token","dispatch":null,"at":"2026-03-01T12:00:00Z"},
             {"from":"WAITING","to":"SCHEDULED","reason":"dependencies met","actor":"engine","dispatch":null,"at":"2026-03-01T12:00:01Z"},
             {"from":"SCHEDULED","to":"DISPATCHED","reason":"claimed","actor":"engine","dispatch":"d1","at":"2026-03-01T12:00:01.005Z"},
             {"from":"DISPATCHED","to":"RUNNING","reason":"started","actor":"worker","dispatch":"d1","at":"2026-03-01T12:00:01.010Z"},
             {"from":"RUNNING","to":"PENDING","reason":"retry 1 of 2","actor":"worker","dispatch":"d1","at":"2026-03-01T12:00:02.010Z"},
             {"from":"PENDING","to":"DISPATCHED","reason":"claimed","actor":"engine","dispatch":"d2","at":"2026-03-01T12:00:06Z"},
             {"from":"DISPATCHED","to":"SUCCEEDED","reason":"exit code 0","actor":"worker","dispatch":"d2","at":"2026-03-01T12:00:06.5Z"}]}
            """));
    server.on(
        "GET /api/v1/tasks/" + ID + "/attempts",
        Said.json(
            """
            {"items":[
             {"dispatch":"d1","number":1,"worker":"w","worker_name":"lite","started_at":"2026-03-01T12:00:01.010Z",
              "ended_at":"2026-03-01T12:00:02Z","end_reason":"error","exit_code":3,"signal":null,"detail":"disk full\\u001b[1m\\nbye","abort_reason":null,"late_outcome":null},
             {"dispatch":"d2","number":2,"worker":"w","worker_name":"lite","started_at":"2026-03-01T12:00:06.1Z",
              "ended_at":"2026-03-01T12:00:06.4Z","end_reason":"succeeded","exit_code":0,"signal":null,"detail":null,"abort_reason":null,"late_outcome":null}]}
            """));

    var result = shell.run("task", ID);

    assertThat(result.out())
        .isEqualTo(
            """
            Task load 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11  SUCCEEDED
              of run 01928f7e-7c4b-7d1e-9a52-000000000001 of workflow etl
              tenant default, pool default, priority 50
              must have ended by 2026-03-01 14:00:00.000, strict, retries after errors: 1, retries after crashes: 2, retries after what it needs was unavailable: 3
              does /bin/load 'a b'

            What happened
              on 2026-03-01
              12:00:00.000  WAITING       waits for the tasks it depends on (created, by api:token)  for 1.000s
              12:00:01.000  SCHEDULED     waits for a free slot on a worker (dependencies met, by engine)  for 5ms
              12:00:01.005  DISPATCHED    was given to lite as attempt 1 (claimed, by engine)  for 5ms
              12:00:01.010  RUNNING       its process started on lite (by worker)  for 1.000s
              12:00:02.010  PENDING       will be tried again, because it ended with exit code 3 (retry 1 of 2, by worker)  for 3.990s
              12:00:06.000  DISPATCHED    was given to lite as attempt 2 (claimed, by engine)  for 500ms
              12:00:06.500  SUCCEEDED     did its work: it ended with exit code 0 (by worker)

            Attempts
              1  on lite, started 12:00:01.010, ran 990ms, ended with exit code 3, error
                | disk full␛[1m
                | bye
              2  on lite, started 12:00:06.100, ran 300ms, ended with exit code 0, succeeded

            Its output: belay logs 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11
            """);
  }

  @Test
  void show_finds_a_run_when_there_is_no_such_task() {
    server.on(
        "GET /api/v1/runs/" + RUN,
        Said.json(
            """
            {"id":"%s","workflow":"etl","version":3,"state":"FAILED","params":{"day":"2026-01-01"},"created_by":"api:token",
             "created_at":"2026-03-01T12:00:00Z","ended_at":"2026-03-01T12:00:02Z","task_counts":{"SUCCEEDED":1,"FAILED":1,"SKIPPED":0}}
            """
                .formatted(RUN)));
    server.on(
        "GET /api/v1/runs/" + RUN + "/history",
        Said.json(
            """
            {"items":[{"from":null,"to":"QUEUED","reason":"triggered","actor":"api:token","at":"2026-03-01T12:00:00Z"},
             {"from":"QUEUED","to":"RUNNING","reason":"its turn","actor":"engine","at":"2026-03-01T12:00:00.250Z"},
             {"from":"RUNNING","to":"FAILED","reason":"task failed","actor":"engine","at":"2026-03-01T12:00:02Z"}]}
            """));
    server.on("GET /api/v1/tasks", Said.json(tasks("null")));

    var result = shell.run("show", RUN);

    assertThat(result.status()).isZero();
    assertThat(result.out())
        .contains("Run of etl " + RUN + "  FAILED")
        .contains("version 3, created by api:token, took 2.000s")
        .contains("params {\"day\":\"2026-01-01\"}")
        .contains("tasks: 1 SUCCEEDED, 1 FAILED\n")
        .contains("2026-03-01 12:00:00  QUEUED  triggered (by api:token)  for 250ms\n")
        .contains("RUNNING  its turn (by engine)  for 1.750s\n");
  }

  @Test
  void an_unknown_id_says_so_and_what_to_do() {
    var result = shell.run("show", ID);

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo(
            "belay: No run or task has the id %s at %s. `belay runs` and `belay tasks` list them.\n"
                .formatted(ID, server.url()));
  }

  @Test
  void half_an_id_is_refused_before_anyone_is_asked() {
    var result = shell.run("task", "01928f7e");

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("\"01928f7e\" is not an id. Give the whole UUID");
    assertThat(server.asked).isEmpty();
  }

  @Test
  void a_refused_token_names_the_file_it_came_from() throws IOException {
    server.on("GET /api/v1/workers", Said.problem(401, "{\"title\":\"Unauthorized\"}"));
    var token = Files.writeString(home.resolve("t"), "secret\n");
    shell.env.put("BELAY_TOKEN_FILE", token.toString());

    var result = shell.run("workers");

    assertThat(result.status()).isEqualTo(3);
    assertThat(result.err()).contains("refused the token in " + token).doesNotContain("secret");
    assertThat(server.only("/api/v1/workers").header("Authorization")).isEqualTo("Bearer secret");
  }

  @Test
  void no_server_is_told_in_one_sentence_without_a_stack_trace() {
    shell.env.remove("BELAY_SERVER");

    var result = shell.run("runs");

    assertThat(result.status()).isEqualTo(3);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err())
        .startsWith("belay: No running Belay was found (looked for endpoint.json in " + home)
        .contains("Start one with `belay lite`");
  }

  @Test
  void a_server_that_is_gone_is_named() {
    server.close();

    var result = shell.run("runs");

    assertThat(result.status()).isEqualTo(3);
    assertThat(result.err())
        .contains("No Belay server answers at " + server.url() + " (from BELAY_SERVER)");
  }

  @Test
  void an_answer_that_is_not_json_is_an_error_not_a_crash() {
    server.on("GET /api/v1/runs", Said.text("<html>proxy</html>"));

    var result = shell.run("runs");

    assertThat(result.status()).isEqualTo(3);
    assertThat(result.err()).doesNotContain("bug").contains(server.url());
  }

  @Test
  void following_a_log_goes_on_through_retries() {
    var reads = new java.util.concurrent.atomic.AtomicInteger();
    server.on(
        "GET /api/v1/tasks/" + ID,
        any ->
            Said.json(
                reads.incrementAndGet() < 3
                    ? "{\"state\":\"RUNNING\",\"attempts\":1}"
                    : "{\"state\":\"SUCCEEDED\",\"attempts\":2}"));
    server.on(
        "GET /api/v1/tasks/" + ID + "/logs",
        asked -> Said.text(asked.query().startsWith("attempt=1") ? "one\n" : "two\n"));

    var result = shell.run("logs", "-f", ID);

    assertThat(result.status()).isZero();
    assertThat(result.out()).isEqualTo("one\ntwo\n");
    assertThat(result.err()).isEqualTo("--- attempt 2\n");
  }

  @Test
  void recoveries_show_what_was_promised_beside_what_was_measured() {
    server.on("GET /api/v1/recovery", Said.json(recovery(1)));

    var result = shell.run("recovery", "--window", "1h");

    assertThat(result.status()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            KIND          PROMISED  COUNT  P50      P99      WORST    RUNNING AGAIN    LATE
            agent_closed  20s       20     15.312s  16.000s  21.400s  16.100s / 3m04s  1
            agent_silent  1m40s     0      -        -        -        -                0

            1 of 20 took longer than promised in the last 1h. `belay alerts` lists them.
            """);
    assertThat(server.only("/api/v1/recovery").query()).isEqualTo("window=1h");
  }

  @Test
  void nothing_is_said_below_the_table_when_every_promise_was_kept() {
    server.on("GET /api/v1/recovery", Said.json(recovery(0)));

    var result = shell.run("recovery");

    assertThat(result.out().lines()).hasSize(3);
    assertThat(result.out()).doesNotContain("promised in the last");
    assertThat(server.only("/api/v1/recovery").query()).isEmpty();
  }

  @Test
  void json_of_recoveries_is_the_servers_own() {
    server.on("GET /api/v1/recovery", Said.json(recovery(1)));

    assertThat(shell.run("recovery", "-o", "json").out()).contains("\"promised_ms\" : 100000");
  }

  @Test
  void a_window_that_is_no_duration_is_refused_before_anyone_is_asked() {
    assertThat(shell.run("recovery", "--window", "soon").err()).contains("1h or 7d, not \"soon\"");
    assertThat(shell.run("recovery", "--events", "--window", "1h").status()).isEqualTo(2);
    assertThat(server.asked).isEmpty();
  }

  @Test
  void single_recoveries_tell_which_were_late_and_which_wait_still() {
    server.on(
        "GET /api/v1/recovery/events",
        Said.json(
            """
            {"items":[
             {"id":3,"kind":"agent_closed","task":"%s","task_name":"load","run":"%s","worker_name":"w1",
              "detected_at":"2026-03-01T12:00:05Z","promised_ms":20000,"detected_ms":21400,"running_again_ms":null,
              "late":true,"open":true},
             {"id":2,"kind":"orphan_run","task":null,"task_name":null,"run":"%s","worker_name":null,
              "detected_at":"2026-03-01T12:00:00Z","promised_ms":420000,"detected_ms":301000,"running_again_ms":null,
              "late":false,"open":false}],"next":null}
            """
                .formatted(ID, RUN, RUN)));

    var result = shell.run("recovery", "--events", "--limit", "2");

    var lines = result.out().lines().map(line -> line.replaceAll(" {2,}", "|")).toList();
    assertThat(lines)
        .containsExactly(
            "FOUND|KIND|TASK OR RUN|NAME|WORKER|PROMISED|TOOK|RUNNING AGAIN",
            "5s ago|agent_closed|" + ID + "|load|w1|20s|21.400s late|not yet",
            "10s ago|orphan_run|" + RUN + "|-|-|7m|5m01s|-");
    assertThat(server.only("/api/v1/recovery/events").query()).isEqualTo("limit=2");
  }

  @Test
  void alerts_are_shown_whole() {
    var detail = "x".repeat(200);
    server.on(
        "GET /api/v1/alerts",
        Said.json(
            "{\"items\":[{\"id\":1,\"kind\":\"recovery_late\",\"at\":\"2026-03-01T12:00:05Z\",\"detail\":\"%s\"}],\"next\":null}"
                .formatted(detail)));

    assertThat(shell.run("alerts").out())
        .isEqualTo("AT      KIND           DETAIL\n5s ago  recovery_late  " + detail + "\n");
    server.on("GET /api/v1/alerts", Said.json("{\"items\":[],\"next\":null}"));
    assertThat(shell.run("alerts").err()).isEqualTo("No alerts.\n");
  }

  @Test
  void changes_are_printed_from_a_cursor_on_until_there_are_no_more() {
    var change =
        "{\"id\":\"7-1\",\"at\":\"2026-03-01T12:00:05Z\",\"kind\":\"task\",\"task\":\"%s\",\"run\":null,\"workflow\":null,\"state\":\"RUNNING\"}"
            .formatted(ID);
    var empty = "{\"items\":[],\"next\":\"%s\",\"reset\":%s}";
    server.on(
        "GET /api/v1/changes",
        asked ->
            Said.json(
                switch (asked.query()) {
                  case "after=3-1&wait=1000ms" -> empty.formatted("6-0", true);
                  case "after=6-0&wait=1000ms" ->
                      "{\"items\":[%s],\"next\":\"8-0\",\"reset\":false}".formatted(change);
                  default -> empty.formatted("8-0", false);
                }));

    var said = shell.run("changes", "--after", "3-1", "-o", "json");
    assertThat(said.out()).isEqualTo(change + "\n");
    assertThat(said.err())
        .isEqualTo(
            """
            The feed does not have the changes after that cursor: they were deleted, or the cursor is of another database. Continuing after 6-0.
            That is all for now. Continue with --after 8-0.
            """);
    assertThat(shell.run("changes", "--after", "6-0").out())
        .isEqualTo("2026-03-01T12:00:05Z  task  " + ID + "  RUNNING\n");
  }

  private static String recovery(int late) {
    return """
    {"window":"1h","count":20,"late":%d,"kinds":[
     {"kind":"agent_closed","reason":"agent_lost","promised_ms":20000,"count":20,
      "detected":{"count":20,"p50_ms":15312,"p99_ms":16000,"worst_ms":21400},
      "running_again":{"count":19,"p50_ms":16100,"p99_ms":17000,"worst_ms":184000},"open":1,"late":%d},
     {"kind":"agent_silent","reason":"agent_lost","promised_ms":100000,"count":0,
      "detected":{"count":0,"p50_ms":null,"p99_ms":null,"worst_ms":null},
      "running_again":{"count":0,"p50_ms":null,"p99_ms":null,"worst_ms":null},"open":0,"late":0}]}
    """
        .formatted(late, late);
  }

  private static String tasks(String next) {
    return """
    {"items":[{"id":"%s","name":"load","state":"RUNNING","state_since":"2026-03-01T12:00:05Z","attempts":1,
      "worker_name":"lite","reason":"started","unknown_to_this_client":7}],"next":%s}
    """
        .formatted(ID, next);
  }
}
