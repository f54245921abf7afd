package dev.belay.fuzz.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.fuzz.make.RequestMaker;
import dev.belay.fuzz.request.Things;
import dev.belay.fuzz.tested.ServerProcess;
import dev.belay.fuzz.tested.TestedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Creates the state before the first request: workflows, runs, tasks with attempts and logs,
 * triggers, backfills, events, pools, topics, tenants, dead letters, and workers that left. Without
 * a worker, nothing moves afterwards.
 */
final class Preparation {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int TASKS = 30;
  private static final int FAILED_RUNS = 10;
  private static final int OPEN_RUNS = 10;
  private static final int OPEN_TASKS = 40;
  private static final int BLOCKED_TASKS = 10;
  private static final int BACKFILLS = 40;
  private static final int BULKS = 5;
  private static final int DECLARED = 20;
  private static final String LEAVES = "leaves";

  private final TestedServer target;
  private final Things things;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private Preparation(TestedServer target, Things things) {
    this.target = target;
    this.things = things;
  }

  static void run(ServerProcess server, Things things) throws Exception {
    var preparation = new Preparation(server.target(), things);
    try (var _ = server.agent("prepared")) {
      preparation.make();
    }
    try (var _ = server.agent(LEAVES)) {
      preparation.learnWorkers();
    }
    preparation.awaitDeparture();
    preparation.client.close();
  }

  private void make() throws IOException, InterruptedException {
    for (String file : RequestMaker.workflows()) {
      String name = post("/workflows", "application/yaml", file).path("name").asText();
      things.add(Things.Kind.WORKFLOW, name);
      for (int i = 0; i < 2; i++) {
        String run =
            post("/workflows/" + name + "/runs", "application/json", "{}").path("id").asText();
        things.add(Things.Kind.RUN, run);
        fetch("/runs/" + run + "?wait=60s");
      }
    }
    makeFailedRuns();
    makeOpenRuns();
    makeOpenTasks();
    makeBlockedTasks();
    makeCauses();
    for (int i = 0; i < TASKS; i++) {
      boolean fails = i % 2 == 1;
      String script = fails ? "echo no >&2; exit 1" : "echo yes";
      String body = "{\"name\":\"prepared\",\"script\":\"" + script + "\"}";
      String task = post("/tasks", "application/json", body).path("id").asText();
      things.add(fails ? Things.Kind.FAILED_TASK : Things.Kind.TASK, task);
      fetch("/tasks/" + task + "?wait=60s");
    }
    for (JsonNode letter : fetch("/dead-letters").path("items")) {
      things.add(Things.Kind.DEAD_LETTER, letter.path("id").asText());
    }
    makeDeclared();
  }

  /** One may be removed; calls of the other need it. */
  private void learnWorkers() throws IOException, InterruptedException {
    JsonNode workers = fetch("/workers").path("items");
    while (workers.size() < 2) {
      Thread.sleep(Duration.ofMillis(50)); // The second one is about to register.
      workers = fetch("/workers").path("items");
    }
    for (JsonNode worker : workers) {
      boolean leaves = worker.path("name").asText().equals(LEAVES);
      things.add(leaves ? Things.Kind.LEFT_WORKER : Things.Kind.WORKER, worker.path("id").asText());
    }
  }

  private void makeDeclared() throws IOException, InterruptedException {
    for (int i = 0; i < DECLARED; i++) {
      declare(Things.Kind.POOL, "/pools/", "fuzzed-pool-" + i, "{\"slots\": 3}");
      declare(Things.Kind.TOPIC, "/topics/", "fuzzed.topic-" + i, "{\"pools\": [\"nobody\"]}");
      declare(Things.Kind.TENANT, "/tenants/", "fuzzed-tenant-" + i, "{\"weight\": 2}");
    }
  }

  private void declare(Things.Kind kind, String path, String name, String body)
      throws IOException, InterruptedException {
    send(
        request(path + name)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body))
            .build());
    things.add(kind, name);
  }

  /** Each can be retried once: without a worker, a retried run never ends. */
  private void makeFailedRuns() throws IOException, InterruptedException {
    String file = "name: fails\ntasks: [{name: fails, command: ['false']}]\n";
    post("/workflows", "application/yaml", file);
    for (int i = 0; i < FAILED_RUNS; i++) {
      String run = post("/workflows/fails/runs", "application/json", "{}").path("id").asText();
      things.add(Things.Kind.FAILED_RUN, run);
      fetch("/runs/" + run + "?wait=60s");
    }
  }

  /** Each can be unblocked once: without a worker, it never runs again. */
  private void makeBlockedTasks() throws IOException, InterruptedException {
    String body =
        "{\"script\":\"exit 75\",\"exit_codes\":{\"75\":\"unavailable\"},"
            + "\"retry\":{\"on\":{\"unavailable\":{\"max\":0}}}}";
    for (int i = 0; i < BLOCKED_TASKS; i++) {
      String task = post("/tasks", "application/json", body).path("id").asText();
      things.add(Things.Kind.BLOCKED_TASK, task);
      while (!fetch("/tasks/" + task).path("state").asText().equals("BLOCKED")) {
        Thread.sleep(Duration.ofMillis(50));
      }
    }
  }

  /** Each can be parked or ended: no worker has their pool. */
  private void makeOpenTasks() throws IOException, InterruptedException {
    for (int i = 0; i < OPEN_TASKS; i++) {
      String body = "{\"command\":[\"true\"],\"pool\":\"nobody\"}";
      things.add(
          Things.Kind.OPEN_TASK, post("/tasks", "application/json", body).path("id").asText());
    }
  }

  /** Each can be cancelled once: no worker has their pool. */
  private void makeOpenRuns() throws IOException, InterruptedException {
    String file = "name: waits\ntasks: [{name: waits, command: ['true'], pool: nobody}]\n";
    post("/workflows", "application/yaml", file);
    for (int i = 0; i < OPEN_RUNS; i++) {
      String run = post("/workflows/waits/runs", "application/json", "{}").path("id").asText();
      things.add(Things.Kind.OPEN_RUN, run);
    }
  }

  /** Triggers, backfills that cannot go on without a worker, events and a webhook. */
  private void makeCauses() throws IOException, InterruptedException {
    String file =
        """
        name: caused
        triggers:
          - {name: late, cron: "0 2 * * *", start: 2150-01-01}
          - {name: sent, event: fuzzed}
        tasks: [{name: waits, command: ['true'], pool: nobody}]
        """;
    post("/workflows", "application/yaml", file);
    things.add(Things.Kind.TRIGGER, "caused/triggers/late");
    things.add(Things.Kind.TRIGGER, "caused/triggers/sent");
    String range =
        """
        {"from": "2025-01-01", "to": "2025-02-01", "cron": "@daily", "existing": "all"}\
        """;
    for (int i = 0; i < BACKFILLS; i++) {
      String id =
          post("/workflows/caused/backfills", "application/json", range).path("id").asText();
      things.add(Things.Kind.BACKFILL, id);
      String event = "{\"name\": \"fuzzed\", \"data\": {\"size\": " + i + "}}";
      things.add(Things.Kind.EVENT, post("/events", "application/json", event).path("id").asText());
    }
    for (int i = 0; i < BULKS; i++) {
      // Cancelled long before its end, so it can be cancelled again.
      String bulk =
          """
          {"kind": "priority", "priority": 51, "filter": {"pool": "nobody"}, "rate": 0.01}\
          """;
      String id = post("/bulk", "application/json", bulk).path("id").asText();
      post("/bulk/" + id + "/cancel", "application/json", "{}");
      things.add(Things.Kind.BULK, id);
    }
    things.add(Things.Kind.HOOK, target.hook());
  }

  private void awaitDeparture() throws IOException, InterruptedException {
    for (int i = 0; i < 200; i++) {
      JsonNode workers = fetch("/workers").path("items");
      boolean left = true;
      for (JsonNode worker : workers) {
        left &= worker.path("state").asText().equals("DISCONNECTED");
      }
      if (left) {
        return;
      }
      Thread.sleep(Duration.ofMillis(100));
    }
    throw new IOException("the worker of the preparation does not leave");
  }

  private JsonNode fetch(String path) throws IOException, InterruptedException {
    return send(request(path).GET().build());
  }

  private JsonNode post(String path, String type, String body)
      throws IOException, InterruptedException {
    return send(
        request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)).build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + target.host() + "/api/v1" + path))
        .header("Authorization", "Bearer " + target.token())
        .timeout(Duration.ofSeconds(90));
  }

  private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    var response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          request.uri() + " answered " + response.statusCode() + " " + response.body());
    }
    return JSON.readTree(response.body());
  }
}
