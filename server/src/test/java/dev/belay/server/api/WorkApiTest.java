package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.server.logs.LogStore;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.log.LogOwners;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workflows, runs, waits, logs and cancels as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkApiTest {

  private static final String ETL =
      """
      name: etl
      params:
        day: {type: date, default: "2026-01-31"}
        n: {type: int, default: 3}
      tasks:
        - name: load
          command: [load, "${{ params.day }}"]
      """;

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder);
  }

  @BeforeEach
  void clear() {
    api.store.clear();
    api.store.worker();
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void a_workflow_is_registered_once_and_read_back() {
    var first = api.postYaml("/api/v1/workflows?file=etl.yaml", ETL);
    assertThat(first.status()).as(first.text()).isEqualTo(201);
    assertThat(first.json().get("version").asInt()).isEqualTo(1);
    assertThat(api.postYaml("/api/v1/workflows", "# the same\n" + ETL).status()).isEqualTo(200);
    var changed = api.postYaml("/api/v1/workflows", ETL.replace("load,", "fetch,"));
    assertThat(changed.json().get("version").asInt()).isEqualTo(2);
    assertThat(api.fetch("/api/v1/workflows").json().get("items")).hasSize(1);
    var latest = api.fetch("/api/v1/workflows/etl").json();
    assertThat(latest.get("version").asInt()).isEqualTo(2);
    assertThat(latest.get("spec").get("tasks").get(0).get("name").asText()).isEqualTo("load");
    assertThat(api.fetch("/api/v1/workflows/etl?version=1").json().get("source").asText())
        .isEqualTo(ETL);
    assertThat(api.fetch("/api/v1/workflows/etl?version=3").status()).isEqualTo(404);
  }

  @Test
  void a_waiting_task_says_why() {
    api.store.run("UPDATE leadership SET leader = NULL");
    var task = api.store.task(TaskState.SCHEDULED, null);
    assertThat(waiting(task)).isEqualTo("no_leader: no server leads, so nothing is started");

    lead();
    assertThat(waiting(task)).isEqualTo("scheduler: starts in a moment");

    for (int i = 0; i < 4; i++) {
      api.store.task(TaskState.RUNNING, null);
    }
    assertThat(waiting(task))
        .isEqualTo(
            "pool_overloaded: no worker of pool default has room (4 of 4 slots taken): 1 slots");

    api.store.run("UPDATE worker SET pools = '{gpu}', connection = connection + 1");
    assertThat(waiting(task)).isEqualTo("no_workers: no worker of pool default ever came");

    api.store.run("UPDATE worker SET pools = '{default}', connection = connection + 1");
    api.store.run("UPDATE worker SET last_seen_at = belay_now() - interval '31 s'");
    assertThat(waiting(task))
        .isEqualTo("no_workers: no worker of pool default takes work: 1 silent");

    var running = api.store.task(TaskState.RUNNING, null);
    assertThat(api.fetch("/api/v1/tasks/" + running).json().get("waiting").isNull()).isTrue();
  }

  @Test
  void a_waiting_run_and_its_waiting_tasks_say_why() {
    lead();
    api.postYaml("/api/v1/workflows", ETL);
    api.post("/api/v1/workflows/etl/pause", "{}");
    var run = api.post("/api/v1/workflows/etl/runs", "{}").json().get("id").asText();
    var waiting = api.fetch("/api/v1/runs/" + run).json().get("waiting");
    assertThat(waiting.get("reason").asText()).isEqualTo("paused");
    assertThat(waiting.get("detail").asText())
        .isEqualTo("workflow etl is paused (belay resume etl)");

    var open = api.store.openRun();
    var task = api.store.task(TaskState.SCHEDULED, open);
    api.store.task(TaskState.WAITING, open);
    var explained = api.fetch("/api/v1/runs/" + open).json().get("waiting_tasks");
    assertThat(explained).hasSize(1);
    assertThat(explained.get(0).get("task").asText()).isEqualTo(task.toString());
    assertThat(explained.get(0).get("reason").asText()).isEqualTo("scheduler");
  }

  @Test
  void a_task_names_the_tasks_that_it_waits_for() {
    lead();
    api.postYaml(
        "/api/v1/workflows",
        """
        name: three
        tasks:
          - {name: a, command: [a]}
          - {name: b, command: [b]}
          - {name: c, command: [c], depends_on: [b, a]}
        """);
    var run = api.post("/api/v1/workflows/three/runs", "{}").json().get("id").asText();
    api.store.run(
        "UPDATE run SET state = 'RUNNING', started_at = belay_now() WHERE id = '%s'"
            .formatted(run));
    var a = api.store.task(TaskState.RUNNING, UUID.fromString(run));
    var b = api.store.task(TaskState.SUCCEEDED, UUID.fromString(run));
    var c = api.store.task(TaskState.WAITING, UUID.fromString(run));
    api.store.run("UPDATE task SET name = 'a' WHERE id = '%s'".formatted(a));
    api.store.run("UPDATE task SET name = 'b' WHERE id = '%s'".formatted(b));
    api.store.run("UPDATE task SET name = 'c' WHERE id = '%s'".formatted(c));
    assertThat(waiting(c)).isEqualTo("dependencies: waits for a");
  }

  /** Leads for an hour, however slow the machine is. */
  private void lead() {
    api.store.run("UPDATE leadership SET leader = 'r1'");
    api.store.run(
        "INSERT INTO replica (name, seen_at, writing_since)"
            + " VALUES ('r1', belay_now() + interval '1 hour', belay_now())"
            + " ON CONFLICT (name) DO UPDATE SET seen_at = EXCLUDED.seen_at");
    api.store.run("UPDATE worker SET last_seen_at = belay_now() + interval '1 hour'");
  }

  private String waiting(UUID task) {
    var waiting = api.fetch("/api/v1/tasks/" + task).json().get("waiting");
    return waiting.get("reason").asText() + ": " + waiting.get("detail").asText();
  }

  @Test
  void a_bad_workflow_is_refused_with_every_place() {
    var bad = "name: x\ntasks:\n  - name: a\n    comand: [ls]\n    depends_on: [b]\n";
    for (var path :
        new String[] {"/api/v1/workflows?file=x.yaml", "/api/v1/workflows/validate?file=x.yaml"}) {
      var answer = api.postYaml(path, bad);
      assertThat(answer.status()).isEqualTo(422);
      var error = answer.json().get("errors").get(0);
      assertThat(error.get("file").asText()).isEqualTo("x.yaml");
      assertThat(error.get("line").asInt()).isPositive();
      assertThat(answer.json().get("errors").toString()).contains("command");
    }
    assertThat(api.store.count("workflow")).isZero();
    assertThat(api.postYaml("/api/v1/workflows/validate", ETL).status()).isEqualTo(200);
    assertThat(api.store.count("workflow")).isZero();
  }

  @Test
  void text_that_cannot_be_stored_is_refused() {
    for (var text : new String[] {"a\\0b", "\\ud800"}) {
      var answer = api.postYaml("/api/v1/workflows", "description: \"" + text + "\"\n" + ETL);
      assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    }
    api.postYaml(
        "/api/v1/workflows",
        ETL.replace("2026-01-31\"", "${{ '\\\\x00' }}\"").replace("date", "string"));
    var answer = api.post("/api/v1/workflows/etl/runs", "");
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    assertThat(api.store.count("run")).isZero();
  }

  @Test
  void a_triggered_run_has_its_parameters() {
    api.postYaml("/api/v1/workflows", ETL);
    var answer = api.post("/api/v1/workflows/etl/runs", "{\"params\": {\"n\": 5}}");
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    var id = answer.json().get("id").asText();
    var run = api.fetch("/api/v1/runs/" + id).json();
    assertThat(run.get("state").asText()).isEqualTo("QUEUED");
    assertThat(run.get("params").get("n").asInt()).isEqualTo(5);
    assertThat(run.get("params").get("day").asText()).isEqualTo("2026-01-31");
    assertThat(run.get("version").asInt()).isEqualTo(1);
    assertThat(run.get("task_counts")).isEmpty();
    assertThat(api.fetch("/api/v1/runs/" + id + "/history").json().get("items")).hasSize(1);
    assertThat(api.fetch("/api/v1/runs?workflow=etl&state=queued,running").json().get("items"))
        .hasSize(1);
    assertThat(api.fetch("/api/v1/runs?state=FAILED").json().get("items")).isEmpty();
    assertThat(api.fetch("/api/v1/runs?tenant=other").json().get("items")).isEmpty();
    assertThat(api.store.count("mark")).isEqualTo(1);
  }

  @Test
  void a_trigger_that_does_not_fit_starts_nothing() {
    api.postYaml("/api/v1/workflows", ETL);
    for (var body :
        new String[] {
          "{\"params\": {\"n\": \"x\"}}",
          "{\"params\": {\"m\": 1}}",
          "{\"parms\": {}}",
          "{\"params\": 7}",
          "{\"version\": \"1\"}",
          "{\"params\": {\"n\": \"\\u0000\"}}"
        }) {
      var answer = api.post("/api/v1/workflows/etl/runs", body, "Idempotency-Key", "k");
      assertThat(answer.status()).as(body).isEqualTo(422);
      assertThat(answer.json().get("errors")).isNotEmpty();
    }
    assertThat(api.post("/api/v1/workflows/none/runs", "").status()).isEqualTo(404);
    assertThat(api.post("/api/v1/workflows/etl/runs", "{\"version\": 9}").status()).isEqualTo(404);
    assertThat(api.store.count("run") + api.store.count("mark") + api.store.count("idempotency"))
        .isZero();
    var first = api.post("/api/v1/workflows/etl/runs", "", "Idempotency-Key", "k");
    assertThat(first.status()).isEqualTo(201);
    assertThat(api.post("/api/v1/workflows/etl/runs", "", "Idempotency-Key", "k").text())
        .isEqualTo(first.text());
    assertThat(
            api.post("/api/v1/workflows/etl/runs", "{\"version\": 1}", "Idempotency-Key", "k")
                .status())
        .isEqualTo(409);
    assertThat(api.store.count("run")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void a_cancel_is_accepted_unless_the_task_is_over(TaskState state) {
    var id = api.store.task(state, null);
    var answer = api.post("/api/v1/tasks/" + id + "/cancel", "");
    assertThat(answer.status()).isEqualTo(state.isTerminal() ? 409 : 202);
    var after = api.fetch("/api/v1/tasks/" + id).json().get("state").asText();
    assertThat(after).isEqualTo(state.kind() == TaskState.Kind.IDLE ? "CANCELLED" : state.name());
  }

  @Test
  void a_cancelled_run_says_since_when() {
    var run = api.store.openRun();
    assertThat(api.post("/api/v1/runs/" + run + "/cancel", "").status()).isEqualTo(202);
    assertThat(api.fetch("/api/v1/runs/" + run).json().get("cancel_requested_at").isNull())
        .isFalse();
    api.store.run("UPDATE run SET state = 'CANCELLED', ended_at = belay_now()");
    assertThat(api.post("/api/v1/runs/" + run + "/cancel", "").status()).isEqualTo(409);
  }

  @Test
  void a_paused_workflow_says_since_when_and_by_whom() {
    api.postYaml("/api/v1/workflows", ETL.replace("params:", "run: {max_active: 2}\nparams:"));
    var paused = api.post("/api/v1/workflows/etl/pause", "");
    assertThat(paused.status()).as(paused.text()).isEqualTo(200);
    assertThat(paused.json().get("paused").asBoolean()).isTrue();
    assertThat(paused.json().get("max_active").asInt()).isEqualTo(2);
    assertThat(api.post("/api/v1/workflows/etl/pause", "").text()).isEqualTo(paused.text());
    var found = api.fetch("/api/v1/workflows/etl").json();
    assertThat(found.get("paused_by").asText())
        .isNotEmpty()
        .isEqualTo(paused.json().get("paused_by").asText());
    assertThat(found.get("paused_at")).isEqualTo(paused.json().get("paused_at"));
    var listed = api.fetch("/api/v1/workflows").json().get("items").get(0);
    assertThat(listed.get("paused").asBoolean()).isTrue();
    var run = api.post("/api/v1/workflows/etl/runs", "").json().get("id").asText();
    assertThat(api.fetch("/api/v1/runs/" + run).json().get("reason").isNull()).isTrue();
    api.store.run("UPDATE run SET reason = 'max_active'");
    assertThat(api.fetch("/api/v1/runs/" + run).json().get("reason").asText()).isEqualTo("paused");

    var resumed = api.post("/api/v1/workflows/etl/resume", "");
    assertThat(resumed.status()).isEqualTo(200);
    assertThat(resumed.json().get("paused").asBoolean()).isFalse();
    assertThat(resumed.json().get("paused_by").isNull()).isTrue();
    api.store.run("UPDATE run SET reason = 'paused'");
    assertThat(api.fetch("/api/v1/runs").json().get("items").get(0).get("reason").asText())
        .isEqualTo("max_active");
    assertThat(api.post("/api/v1/workflows/nope/pause", "").status()).isEqualTo(404);
    assertThat(api.post("/api/v1/workflows/etl/resume?tenant=other", "").status()).isEqualTo(404);
  }

  @Test
  void only_a_run_that_failed_or_was_cancelled_is_retried() {
    var run = api.store.openRun();
    api.store.task(TaskState.FAILED, run);
    var path = "/api/v1/runs/" + run + "/retry";
    var open = api.post(path, "");
    assertThat(open.status()).isEqualTo(409);
    assertThat(open.json().get("detail").asText()).contains("is RUNNING").contains("FAILED");
    api.store.run("UPDATE run SET state = 'SUCCEEDED', ended_at = belay_now()");
    assertThat(api.post(path, "").json().get("detail").asText()).contains("nothing to retry");
    api.store.run("UPDATE run SET state = 'FAILED', reason = 'task a FAILED'");
    var retried = api.post(path, "");
    assertThat(retried.status()).isEqualTo(202);
    assertThat(retried.json().get("answer").asText()).isEqualTo("retrying");
    assertThat(retried.json().get("tasks").asInt()).isEqualTo(1);
    var after = api.fetch("/api/v1/runs/" + run).json();
    assertThat(after.get("state").asText()).isEqualTo("QUEUED");
    assertThat(after.get("generation").asInt()).isEqualTo(2);
    assertThat(after.get("ended_at").isNull()).isTrue();
    assertThat(after.get("task_counts").get("WAITING").asInt()).isEqualTo(1);
    assertThat(api.post(path, "").status()).isEqualTo(409);
    assertThat(api.post("/api/v1/runs/" + UUID.randomUUID() + "/retry", "").status())
        .isEqualTo(404);
  }

  @Test
  void pages_show_every_task_once_while_tasks_are_submitted() {
    var expected = new HashSet<String>();
    for (int i = 0; i < 25; i++) {
      expected.add(submit());
    }
    var seen = new ArrayList<String>();
    var cursor = "";
    do {
      var page = api.fetch("/api/v1/tasks?limit=4" + cursor).json();
      page.get("items").forEach(task -> seen.add(task.get("id").asText()));
      cursor = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asText();
      submit();
    } while (!cursor.isEmpty());
    assertThat(seen).doesNotHaveDuplicates().hasSize(25).containsAll(expected);
  }

  @Test
  void workers_attempts_and_history_are_shown() {
    var task = api.store.task(TaskState.RUNNING, null);
    var worker = api.fetch("/api/v1/workers").json().get("items").get(0);
    assertThat(worker.get("active").asInt()).isEqualTo(1);
    assertThat(worker.get("labels").get("zone").asText()).isEqualTo("a");
    var attempt = api.fetch("/api/v1/tasks/" + task + "/attempts").json().get("items").get(0);
    assertThat(attempt.get("worker_name").asText()).isEqualTo("one");
    assertThat(attempt.get("exit_code").isNull()).isTrue();
    var history = api.fetch("/api/v1/tasks/" + task + "/history").json().get("items").get(0);
    assertThat(history.get("from").asText() + history.get("to").asText())
        .isEqualTo("SCHEDULEDDISPATCHED");
    assertThat(
            api.fetch("/api/v1/tasks?worker=" + StoreFixture.WORKER + "&state=RUNNING")
                .json()
                .get("items"))
        .hasSize(1);
  }

  @Test
  @Timeout(15)
  void a_wait_answers_when_the_task_ends() {
    var task = api.store.task(TaskState.SCHEDULED, null);
    var answer =
        api.client()
            .sendAsync(
                api.request("/api/v1/tasks/" + task + "?wait=10s").build(),
                BodyHandlers.ofString());
    await().until(() -> api.waiting.waiting() == 1);
    api.store.run("UPDATE task SET state = 'SKIPPED', ended_at = belay_now()");
    api.changes.happened();
    assertThat(answer.join().body()).contains("SKIPPED");
    assertThat(api.waiting.waiting()).isZero();
  }

  @Test
  void a_wait_ends_with_its_time() {
    var task = api.store.task(TaskState.SCHEDULED, null);
    assertThat(api.fetch("/api/v1/tasks/" + task + "?wait=150ms").json().get("state").asText())
        .isEqualTo("SCHEDULED");
    assertThat(api.fetch("/api/v1/tasks/" + task + "?wait=soon").status()).isEqualTo(400);
  }

  @Test
  @Timeout(15)
  void a_caller_that_hangs_up_frees_its_place() throws IOException {
    var task = api.store.task(TaskState.SCHEDULED, null);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET /api/v1/tasks/"
                      + task
                      + "?wait=20s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                      + api.token
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      await().until(() -> api.waiting.waiting() == 1);
    }
    await().until(() -> api.waiting.waiting() == 0);
  }

  @Test
  void a_log_is_read_whole_from_an_offset_and_by_its_tail() throws IOException {
    var task = api.store.task(TaskState.RUNNING, null);
    append(task, 0, "hello\nworld\n", false);
    var logs = "/api/v1/tasks/" + task + "/logs";
    assertThat(api.fetch(logs).text()).isEqualTo("hello\nworld\n");
    assertThat(api.fetch(logs).header("content-type")).startsWith("text/plain");
    assertThat(api.fetch(logs + "?offset=6").text()).isEqualTo("world\n");
    assertThat(api.fetch(logs + "?tail=3").text()).isEqualTo("ld\n");
    assertThat(api.fetch(logs + "?attempt=1").text()).startsWith("hello");
    assertThat(api.fetch(logs + "?attempt=2").status()).isEqualTo(404);
    var idle = api.store.task(TaskState.SCHEDULED, null);
    assertThat(api.fetch("/api/v1/tasks/" + idle + "/logs").text()).isEmpty();
    assertThat(api.fetch("/api/v1/tasks/" + UUID.randomUUID() + "/logs").status()).isEqualTo(404);
  }

  @Test
  void what_a_log_lacks_is_said_in_a_header() {
    var task = api.store.task(TaskState.RUNNING, null);
    var dispatch = dispatch(task);
    var data = ByteBuffer.wrap("one\n".getBytes(StandardCharsets.UTF_8));
    api.logs.append(dispatch, new LogStore.Piece(0, data, true, 4, 1234), Long.MAX_VALUE);
    var answer = api.fetch("/api/v1/tasks/" + task + "/logs");
    assertThat(answer.text()).isEqualTo("one\n");
    assertThat(answer.header("belay-log-missing")).isEqualTo("1234");
  }

  @Test
  void only_the_worker_of_a_dispatch_owns_its_log() {
    var task = api.store.task(TaskState.RUNNING, null);
    var owners = new LogOwners(api.store.jdbi());
    var owner = owners.find(new TaskId(task), dispatch(task)).orElseThrow();
    assertThat(owner.worker().toString())
        .isEqualTo(api.store.text("SELECT worker_id FROM attempt WHERE task_id = '" + task + "'"));
    assertThat(owner.others()).isEmpty();
    assertThat(owners.find(new TaskId(task), new DispatchId(new UUID(1, 2)))).isEmpty();
    assertThat(owners.find(new TaskId(new UUID(1, 2)), dispatch(task))).isEmpty();
  }

  @Test
  @Timeout(15)
  void a_log_is_followed_until_it_is_complete() throws Exception {
    var task = api.store.task(TaskState.RUNNING, null);
    append(task, 0, "one\n", false);
    var response =
        api.client()
            .send(
                api.request("/api/v1/tasks/" + task + "/logs?follow=true").build(),
                BodyHandlers.ofInputStream());
    try (var body = response.body()) {
      assertThat(new String(body.readNBytes(4), StandardCharsets.UTF_8)).isEqualTo("one\n");
      append(task, 4, "two\n", false);
      assertThat(new String(body.readNBytes(4), StandardCharsets.UTF_8)).isEqualTo("two\n");
      append(task, 8, "", true);
      assertThat(body.readAllBytes()).isEmpty();
    }
    await().until(() -> api.waiting.waiting() == 0);
  }

  @Test
  @Timeout(15)
  void a_follow_waits_for_the_first_attempt_and_ends_when_there_will_be_none() throws Exception {
    var task = api.store.task(TaskState.SCHEDULED, null);
    var answer =
        api.client()
            .sendAsync(
                api.request("/api/v1/tasks/" + task + "/logs?follow=true").build(),
                BodyHandlers.ofString());
    await().until(() -> api.waiting.waiting() == 1);
    assertThat(api.post("/api/v1/tasks/" + task + "/cancel", "").status()).isEqualTo(202);
    assertThat(answer.join().body()).isEmpty();
  }

  private String submit() {
    return api.post("/api/v1/tasks", "{\"command\": [\"ls\"]}").json().get("id").asText();
  }

  private void append(UUID task, long offset, String text, boolean last) {
    var dispatch = dispatch(task);
    var data = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    api.logs.append(dispatch, new LogStore.Piece(offset, data, last, 0, 0), Long.MAX_VALUE);
    api.changes.happened();
  }

  private DispatchId dispatch(UUID task) {
    return DispatchId.of(api.store.text("SELECT dispatch_id FROM task WHERE id = '" + task + "'"));
  }
}
