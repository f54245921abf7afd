package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import dev.belay.domain.task.TaskState;
import dev.belay.store.fixture.StoreFixture;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A request that was refused for its time changes nothing later, when the database resumes. */
@Timeout(60)
class RefusedForTimeTest {

  private static final String TABLES =
      "workflow, workflow_control, run, task, worker, worker_key, mark, trigger_version,"
          + " event, backfill, bulk_operation, pool, topic, tenant, routing_version, dead_letter";

  /** Most of them only remove what is over, as often as one asks. */
  private static final Set<Route> STORE_NOTHING =
      Set.of(
          Route.VALIDATE_WORKFLOW,
          Route.REMOVE_FINISHED_RUNS,
          Route.REMOVE_FINISHED_TASKS,
          Route.PURGE_DEAD_LETTERS);

  private static final String BACKFILL =
      "{\"from\": \"2026-01-01\", \"to\": \"2026-01-03\", \"cron\": \"@daily\"}";

  private static final String BULK = "{\"kind\": \"cancel\", \"filter\": {\"name\": \"x\"}}";

  /** Its name and its token. */
  private static final String HOOK = "h".repeat(40);

  @Test
  void nothing_of_a_refused_request_is_stored_by_any_call_that_changes_something(
      @TempDir Path folder) throws Exception {
    var token = Files.createDirectory(folder.resolve("hooks")).resolve(HOOK + ".token");
    Files.writeString(token, HOOK);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    try (var api = new ApiFixture(folder, "request-time-max=1500ms")) {
      var targets = targets(api);
      var before = all(api);
      connect(api, changing().size() + 1);
      var answers = new EnumMap<Route, CompletableFuture<HttpResponse<String>>>(Route.class);
      try (var blocker = api.store.jdbi().open()) {
        blocker.begin();
        blocker.execute("LOCK TABLE " + TABLES + " IN EXCLUSIVE MODE");
        for (var route : changing()) {
          answers.put(route, send(api, route, targets));
        }
        for (var answer : answers.entrySet()) {
          var refused = answer.getValue().join();
          assertThat(refused.statusCode()).as(answer.getKey() + refused.body()).isEqualTo(503);
          assertThat(refused.body()).contains("nothing was stored");
        }
        assertThat(
                blocker
                    .createQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")
                    .mapTo(Integer.class)
                    .one())
            .as("requests that still wait in the database")
            .isEqualTo(answers.size());
        blocker.commit();
      }
      while (transactions(api) > 0) {
        Thread.onSpinWait();
      }
      assertThat(all(api)).isEqualTo(before);
    }
  }

  /** A busy machine takes its time to connect; the requests shall wait for locks only. */
  private static void connect(ApiFixture api, int connections) {
    var open = new ArrayList<Handle>();
    for (int i = 0; i < connections; i++) {
      open.add(api.store.jdbi().open());
    }
    open.forEach(Handle::close);
  }

  private static Set<Route> changing() {
    return Arrays.stream(Route.values())
        .filter(route -> route.method() != HttpMethod.GET && !STORE_NOTHING.contains(route))
        .collect(Collectors.toCollection(() -> java.util.EnumSet.noneOf(Route.class)));
  }

  private static CompletableFuture<HttpResponse<String>> send(
      ApiFixture api, Route route, Map<Route, String> targets) {
    var yaml = route == Route.REGISTER_WORKFLOW;
    var body =
        switch (route) {
          case START_BACKFILL -> BACKFILL;
          case START_BULK -> BULK;
          case SEND_EVENTS -> "{\"name\": \"e\"}";
          case RECEIVE_HOOK -> "{}";
          case SUBMIT_TASKS -> "{\"command\": [\"true\"]}";
          case REGISTER_WORKFLOW -> "name: other\ntask: {command: [/bin/true]}\n";
          case NOTE_TASK -> "{\"note\": \"seen\"}";
          case MARK_TASK -> "{\"as\": \"failed\"}";
          case PRIORITIZE_TASK -> "{\"priority\": 9}";
          case ROLL_BACK_WORKFLOW -> "{\"version\": 1}";
          case PUT_POOL, PUT_TENANT -> "{}";
          case PUT_TOPIC -> "{\"pools\": [\"default\"]}";
          case APPLY ->
              "{\"files\": [{\"file\": \"a.yaml\", \"source\": \"name: a\\n"
                  + "task: {command: [/bin/true]}\"}]}";
          default -> "";
        };
    var path = route.path().replaceAll("\\{[a-z]+}", targets.getOrDefault(route, ""));
    return api.client()
        .sendAsync(
            api.request(path)
                .header("Content-Type", yaml ? "application/yaml" : "application/json")
                .method(route.method().name(), BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
  }

  /** For each call, something that it would change. */
  private static Map<Route, String> targets(ApiFixture api) {
    var file = "name: w\ntask: {command: [/bin/true]}\n";
    for (var name : new String[] {"w", "paused"}) {
      api.postYaml("/api/v1/workflows", file.replace("name: w", "name: " + name));
    }
    api.post("/api/v1/workflows/paused/pause", "");
    for (var name : new String[] {"timed", "held"}) {
      api.postYaml(
          "/api/v1/workflows",
          "name: %s\ntriggers: [{name: %s, every: 1h}]\ntask: {command: [/bin/true]}\n"
              .formatted(name, name));
    }
    api.post("/api/v1/workflows/held/triggers/held/pause", "");
    var backfill = backfill(api);
    var pausedBackfill = backfill(api);
    api.post("/api/v1/backfills/" + pausedBackfill + "/pause", "");
    var bulk = api.post("/api/v1/bulk", BULK).json().get("id").asText();
    var open = api.post("/api/v1/workflows/w/runs", "{}").json().get("id").asText();
    var failed = api.post("/api/v1/workflows/w/runs", "{}").json().get("id").asText();
    api.store.run(
        "UPDATE run SET state = 'FAILED', ended_at = belay_now() WHERE id = '" + failed + "'");
    api.store.worker();
    var worker = StoreFixture.WORKER.toString();
    var revoked = UUID.randomUUID().toString();
    api.store.run(key(worker, "NULL, NULL"), key(revoked, "belay_now(), 'somebody'"));
    var task = api.store.task(TaskState.SCHEDULED, null).toString();
    var blocked = api.store.task(TaskState.BLOCKED, null).toString();
    var over = api.store.task(TaskState.FAILED, null).toString();
    api.postYaml("/api/v1/workflows", file.replace("/bin/true", "/bin/false"));
    declare(api);
    api.store.run(
        "UPDATE worker SET set_aside_at = belay_now(), set_aside_reason = 'x' WHERE id = '"
            + worker
            + "'");
    return Map.ofEntries(
        Map.entry(Route.RECEIVE_HOOK, HOOK),
        Map.entry(Route.CANCEL_TASK, task),
        Map.entry(Route.TERMINATE_TASK, task),
        Map.entry(Route.NOTE_TASK, task),
        Map.entry(Route.CLEAR_TASK, over),
        Map.entry(Route.RETRY_TASK, over),
        Map.entry(Route.MARK_TASK, over),
        Map.entry(Route.SKIP_TASK, task),
        Map.entry(Route.BLOCK_TASK, task),
        Map.entry(Route.PRIORITIZE_TASK, task),
        Map.entry(Route.UNBLOCK_TASK, blocked),
        Map.entry(Route.PAUSE_WORKFLOW, "w"),
        Map.entry(Route.RESUME_WORKFLOW, "paused"),
        Map.entry(Route.PAUSE_TRIGGER, "timed"),
        Map.entry(Route.RESUME_TRIGGER, "held"),
        Map.entry(Route.ROLL_BACK_WORKFLOW, "w"),
        Map.entry(Route.TRIGGER_RUN, "w"),
        Map.entry(Route.START_BACKFILL, "w"),
        Map.entry(Route.PAUSE_BACKFILL, backfill),
        Map.entry(Route.RESUME_BACKFILL, pausedBackfill),
        Map.entry(Route.CANCEL_BACKFILL, backfill),
        Map.entry(Route.CANCEL_BULK, bulk),
        Map.entry(Route.CANCEL_RUN, open),
        Map.entry(Route.RETRY_RUN, failed),
        Map.entry(Route.PUT_POOL, "new"),
        Map.entry(Route.PUT_TOPIC, "new"),
        Map.entry(Route.PUT_TENANT, "new"),
        Map.entry(Route.DELETE_POOL, "old"),
        Map.entry(Route.DELETE_TOPIC, "old"),
        Map.entry(Route.DELETE_TENANT, "old"),
        Map.entry(Route.RETRY_DEAD_LETTER, letter(api, over)),
        Map.entry(Route.TRUST_WORKER, worker),
        Map.entry(Route.REMOVE_WORKER, worker),
        Map.entry(Route.REVOKE_WORKER, worker),
        Map.entry(Route.ALLOW_WORKER, revoked));
  }

  private static void declare(ApiFixture api) {
    api.store.run(
        "INSERT INTO pool (name, state, capabilities, strategy, declared_in, version, changed_at,"
            + " changed_by) VALUES ('old', 'ACTIVE', '{}', 'SPREAD', 'API', 1, belay_now(), 'x')",
        "INSERT INTO topic (name, pools, declared_in, version, changed_at, changed_by)"
            + " VALUES ('old', '{old}', 'API', 1, belay_now(), 'x')",
        "INSERT INTO tenant (name, weight, declared_in, version, changed_at, changed_by)"
            + " VALUES ('old', 1, 'API', 1, belay_now(), 'x')");
  }

  private static String letter(ApiFixture api, String task) {
    String id = UUID.randomUUID().toString();
    api.store.run(
        """
        INSERT INTO dead_letter (id, task_id, generation, tenant, pool, name, reason, detail, cause,
                                 fingerprint, request, attempts, created_at)
        VALUES ('%s', '%s', 1, 'default', 'default', 'report', 'no_workers', 'none', 'none', 'f1',
                '{"tenant": "default", "name": "report", "priority": 7, "pool": "default",
                  "deadline_ms": null, "strict": false, "labels": {}, "work": {"argv": ["true"]},
                  "queue": {"tenant":"default","pool":"default"}, "run": null}', 3, belay_now())
        """
            .formatted(id, task));
    return id;
  }

  private static String backfill(ApiFixture api) {
    return api.post("/api/v1/workflows/w/backfills", BACKFILL).json().get("id").asText();
  }

  private static String key(String worker, String revoked) {
    return "INSERT INTO worker_key VALUES ('%s', sha256('x'), 'one', '%s', 1, 1, belay_now(), belay_now(), %s)"
        .formatted(worker, StoreFixture.SESSION, revoked);
  }

  private static String all(ApiFixture api) {
    return Arrays.stream(TABLES.split(", "))
        .map(
            table ->
                api.store.text(
                    "SELECT count(*) || coalesce(md5(string_agg(r::text, ',' ORDER BY r::text)),"
                        + " '') FROM "
                        + table
                        + " r"))
        .collect(Collectors.joining("\n"));
  }

  private static int transactions(ApiFixture api) {
    return Integer.parseInt(
        api.store.text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"));
  }
}
