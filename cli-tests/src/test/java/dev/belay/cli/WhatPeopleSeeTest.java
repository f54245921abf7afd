package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import dev.belay.cli.terminal.Width;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The output in a real pseudo-terminal, compared with the files in {@code golden}, which mask
 * times, ids and ports. Run with -Dbelay.write to write them anew, and read the difference.
 */
class WhatPeopleSeeTest {

  private static final String RUN = "01928f7e-7c4b-7d1e-9a52-000000000001";
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final int ROWS = 24;

  @TempDir Path home;
  private final Instant now = Instant.now();
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<String> tasks = new ArrayList<>();
  private volatile String run = "";
  private volatile String items = "";
  private FakeServer server;
  private Path file;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    file =
        Files.writeString(
            home.resolve("etl.yaml"),
            """
            name: etl
            tasks:
              - {name: fetch-the-orders-of-yesterday, command: [a]}
              - {name: check, command: [b], depends_on: [fetch-the-orders-of-yesterday]}
              - {name: load-into-the-warehouse-of-the-whole-company, command: [c], depends_on: [check]}
              - {name: report, command: [d], depends_on: [load-into-the-warehouse-of-the-whole-company, check]}
            """);
    server.on("POST /api/v1/workflows", Said.json("{\"name\":\"etl\",\"version\":1}"));
    server.on(
        "POST /api/v1/workflows/etl/runs",
        Said.json("{\"id\":\"%s\",\"state\":\"QUEUED\"}".formatted(RUN)));
    server.on(
        "GET /api/v1/runs/" + RUN,
        asked -> {
          if (asked.query().startsWith("wait")) {
            await(end);
          }
          return Said.json(run);
        });
    server.on(
        "GET /api/v1/tasks", asked -> Said.json("{\"items\":[%s],\"next\":null}".formatted(items)));
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 100})
  void a_run_that_fails(int columns) throws Exception {
    run("RUNNING", "");
    task("fetch-the-orders-of-yesterday", "RUNNING", "started");
    try (var belay = belay(ROWS, columns, "run", file.toString())) {
      belay.await(frame -> has(frame, "RUNNING"));
      tasks.clear();
      task("fetch-the-orders-of-yesterday", "SUCCEEDED", "exit_code 0");
      task("check", "FAILED", "exit_code 1");
      task("load-into-the-warehouse-of-the-whole-company", "UPSTREAM_FAILED", "upstream_failed");
      task("report", "UPSTREAM_FAILED", "upstream_failed");
      server.on(
          "GET /api/v1/tasks/" + id("check") + "/logs",
          Said.text("comparing 3 tables\n表の数が合いません\n"));
      run("FAILED", "check: exit_code 1");
      end.countDown();

      assertThat(belay.awaitExit()).isEqualTo(1);

      assertSound(belay, columns);
      golden("failed-" + columns, belay.screen.all());
    }
  }

  @Test
  void a_paused_run() throws Exception {
    run(
        "QUEUED",
        "paused",
        """
        "waiting":{"reason":"paused","detail":"workflow etl is paused (belay resume etl)","since":"%s","until":null},\
        """
            .formatted(now.minusSeconds(60)));
    try (var belay = belay(ROWS, 100, "run", file.toString())) {
      var frame = belay.await(each -> has(each, "PAUSED"));

      assertSound(belay, 100);
      golden("paused", frame);
      detach(belay);
    }
  }

  @Test
  void a_task_that_waits_for_a_worker() throws Exception {
    task("fetch-the-orders-of-yesterday", "SCHEDULED", "ready");
    run(
        "RUNNING",
        "",
        """
        "waiting_tasks":[{"task":"%s","name":"fetch-the-orders-of-yesterday","state":"SCHEDULED","reason":"no_workers",
        "detail":"no worker of pool gpu takes work","since":"%s","until":null}],\
        """
            .formatted(id("fetch-the-orders-of-yesterday"), now));
    try (var belay = belay(ROWS, 100, "run", file.toString())) {
      var frame = belay.await(each -> has(each, "no worker of pool gpu"));

      assertSound(belay, 100);
      golden("waiting", frame);
      detach(belay);
    }
  }

  @Test
  void a_server_that_dies_during_a_run() throws Exception {
    run("RUNNING", "");
    task("fetch-the-orders-of-yesterday", "SUCCEEDED", "exit_code 0");
    task("check", "RUNNING", "started");
    try (var belay = belay(ROWS, 60, "run", file.toString())) {
      belay.await(frame -> has(frame, "RUNNING"));
      server.close();
      var frame = belay.await(each -> has(each, "NO ANSWER"));
      var later = belay.await(each -> has(each, "nothing new for 3s"));

      assertSound(belay, 60);
      assertThat(later.stream().filter(line -> line.contains("check")).toList())
          .as("nothing is counted on while nothing is known")
          .isEqualTo(frame.stream().filter(line -> line.contains("check")).toList());
      golden("server-killed", later);
      detach(belay);
    }
  }

  @Test
  void a_terminal_that_is_made_narrow_and_low_during_a_run() throws Exception {
    run("RUNNING", "");
    task("fetch-the-orders-of-yesterday", "SUCCEEDED", "exit_code 0");
    task("check", "RUNNING", "started");
    try (var belay = belay(ROWS, 100, "run", file.toString())) {
      belay.await(frame -> has(frame, "report"));
      belay.resize(ROWS, 40);
      var narrow =
          belay.await(
              each -> each.stream().anyMatch(line -> line.endsWith("…")) && each.size() < ROWS);
      assertThat(narrow.stream().filter(line -> line.startsWith("etl  ")).count())
          .as("piled: " + narrow)
          .isEqualTo(1);
      belay.resize(4, 40);
      // Lines that a lower terminal pushed out at its top are out of reach.
      var all = belay.await(each -> has(each, "1 RUNNING, 1 SUCCEEDED"));
      var frame = all.subList(Math.max(0, all.size() - 4), all.size());
      assertThat(frame.stream().filter(line -> line.startsWith("etl  ")).count()).isEqualTo(1);
      golden("narrow-and-low", frame);
      detach(belay);
    }
  }

  @Test
  void a_lost_worker() throws Exception {
    String task = id("check");
    server.on(
        "GET /api/v1/tasks/" + task,
        Said.json(
            """
            {"id":"%s","name":"check","state":"FAILED","reason":"agent_lost","tenant":"default","pool":"default",
             "priority":50,"lost_count":0,"attempts":1,"ended_at":"%s","work":{"argv":["b"]}}
            """
                .formatted(task, now)));
    server.on(
        "GET /api/v1/tasks/" + task + "/history",
        Said.json(
            """
            {"items":[{"to":"SCHEDULED","reason":"ready","actor":"planner","at":"%s"},
             {"to":"DISPATCHED","reason":"claimed","actor":"dispatcher","dispatch":"d1","at":"%s"},
             {"to":"RUNNING","reason":"started","actor":"worker","dispatch":"d1","at":"%s"},
             {"to":"FAILED","reason":"agent_lost","actor":"reaper","dispatch":"d1","at":"%s"}]}
            """
                .formatted(now.minusSeconds(40), now.minusSeconds(39), now.minusSeconds(38), now)));
    server.on(
        "GET /api/v1/tasks/" + task + "/attempts",
        Said.json(
            """
            {"items":[{"dispatch":"d1","number":1,"worker_name":"builder-7","started_at":"%s","ended_at":"%s",
             "end_reason":"agent_lost","last_heard_at":"%s"}]}
            """
                .formatted(now.minusSeconds(38), now, now.minusSeconds(34))));
    server.on(
        "GET /api/v1/alerts",
        Said.json(
            """
            {"items":[{"id":1,"kind":"worker_lost","at":"%s","detail":"worker builder-7 is lost: it hung up and did \
            not come back. It was last heard of at 2026-03-01 12:00:00 UTC. (id %s)"}],"next":null}
            """
                .formatted(now.plusSeconds(3600), task)));
    try (var belay = belay(ROWS, 200, "task", task);
        var alerts = belay(ROWS, 200, "alerts")) {
      assertThat(belay.awaitExit()).isZero();
      assertThat(alerts.awaitExit()).isZero();

      var seen = new ArrayList<>(belay.screen.all());
      seen.addAll(alerts.screen.all());
      golden("lost-worker", seen);
    }
  }

  @Test
  void a_schedule() throws Exception {
    server.on(
        "GET /api/v1/workflows/etl/schedule",
        Said.json(
            """
            {"workflow":"etl","more":false,"removed":[],"triggers":[
             {"workflow":"etl","trigger":"nightly","kind":"cron","expression":"30 2 * * *",
              "timezone":"Europe/Berlin","calendar":"holidays","missed":"fire_once","past":[
               {"at":"2026-03-30T00:30:00Z","outcome":"skipped","reason":"overlap","late_ms":15},
               {"at":"2026-03-29T01:30:00Z","outcome":"fired","run_id":"%s","late_ms":12}],"next":[
               {"at":"2026-03-31T00:30:00Z","due_at":"2026-03-31T00:30:00Z","reason":null},
               {"at":"2026-04-01T00:30:00Z","reason":"calendar: holidays"}]},
             {"workflow":"etl","trigger":"once","kind":"at","expression":"2026-12-24T17:00:00Z",
              "timezone":"Europe/Berlin","missed":"skip","past":[],"next":[]},
             {"workflow":"etl","trigger":"event x","kind":"event","expression":"x",
              "waits_for":"the event x","past":[],"next":[]}]}
            """
                .formatted(RUN)));
    try (var belay = belay(ROWS, 80, "schedule", "etl")) {
      assertThat(belay.awaitExit()).isZero();

      golden("schedule", belay.screen.all());
    }
  }

  private PtyProcess belay(int rows, int columns, String... args) throws IOException {
    var env =
        Map.of("BELAY_SERVER", server.url(), "HOME", home.toString(), "TMPDIR", home.toString());
    return new PtyProcess(rows, columns, env, args);
  }

  private static void detach(PtyProcess belay) throws Exception {
    belay.signal("TERM");
    belay.awaitExit();
  }

  /** No frame wraps, none is wider or higher than the terminal, none is left above another. */
  private static void assertSound(PtyProcess belay, int columns) {
    var frames = belay.screen.frames();
    assertThat(frames).isNotEmpty();
    for (var frame : frames) {
      assertThat(frame).allMatch(line -> Width.of(line) <= columns);
      assertThat(frame.size()).isLessThanOrEqualTo(ROWS);
      assertThat(frame.stream().filter(line -> line.startsWith("etl  ")).count())
          .as("piled: " + frame)
          .isEqualTo(1);
    }
  }

  private static void golden(String name, List<String> seen) throws IOException {
    String text = String.join("\n", seen.stream().map(WhatPeopleSeeTest::masked).toList());
    text = text.stripTrailing() + "\n";
    var path = GOLDEN.resolve(name + ".txt");
    if (System.getProperty("belay.write") != null) {
      Files.createDirectories(GOLDEN);
      Files.writeString(path, text);
    }
    assertThat(text)
        .as("changed: run mvn -q -pl cli-tests -am test -Dbelay.write -Dtest=WhatPeopleSeeTest")
        .isEqualTo(Files.readString(path));
  }

  private static String masked(String line) {
    return line.replaceAll("127\\.0\\.0\\.1:\\d+", "HOST:PORT")
        .replaceAll("\\d{4}-\\d{2}-\\d{2}", "DATE")
        .replaceAll("\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?", "TIME")
        .replaceAll("\\b\\d+(\\.\\d+)?(ms|s)( ago)?\\b", "#s");
  }

  private static boolean has(List<String> frame, String text) {
    return frame.stream().anyMatch(line -> line.contains(text));
  }

  private void run(String state, String reason) {
    run(state, reason, "");
  }

  private void run(String state, String reason, String more) {
    boolean over = state.equals("FAILED");
    run =
        "{%s\"id\":\"%s\",\"workflow\":\"etl\",\"state\":\"%s\",\"reason\":\"%s\",\"created_at\":\"%s\",\"ended_at\":%s}"
            .formatted(
                more, RUN, state, reason, now, over ? "\"" + now.plusSeconds(2) + "\"" : "null");
  }

  private void task(String name, String state, String reason) {
    boolean ran = !state.equals("SCHEDULED") && !state.equals("UPSTREAM_FAILED");
    boolean over = ran && !state.equals("RUNNING");
    tasks.add(
        """
        {"id":"%s","name":"%s","state":"%s","reason":"%s","attempts":%d,"state_since":"%s","worker_name":"w1",
         "started_at":%s,"ended_at":%s}\
        """
            .formatted(
                id(name),
                name,
                state,
                reason,
                ran ? 1 : 0,
                now.plusMillis(state.equals("RUNNING") ? 1 : 2),
                ran ? "\"" + now + "\"" : "null",
                over || state.equals("UPSTREAM_FAILED")
                    ? "\"" + now.plusSeconds(1) + "\""
                    : "null"));
    items = String.join(",", tasks);
  }

  private static String id(String name) {
    return "01928f7e-7c4b-7d1e-9a52-%012x".formatted(name.length());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
