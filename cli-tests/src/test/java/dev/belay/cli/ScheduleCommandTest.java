package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduleCommandTest {

  private static final String RUN = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";
  private static final String PATH = "/api/v1/workflows/etl/schedule";
  private static final String TRIGGER =
      """
      "tenant":"default","workflow":"etl","trigger":"nightly","kind":"cron","expression":"30 2 * * *",
      "timezone":"Europe/Berlin","calendar":"holidays","jitter":null,"missed":"fire_once",
      "next_at":"2100-10-31T00:30:00Z","next_reason":null,\
      """;

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

  private void schedule(String more) {
    server.on(
        "GET " + PATH,
        Said.json(
            "{\"workflow\":\"etl\",\"more\":false,\"removed\":[],\"triggers\":[{%s%s}]}"
                .formatted(TRIGGER, more)));
  }

  @Test
  void past_and_next_instants_are_one_line_of_time() {
    schedule(
        """
        "past":[
          {"at":"2026-03-29T01:30:00Z","outcome":"skipped","reason":"overlap","late_ms":1500},
          {"at":"2026-03-28T01:30:00Z","outcome":"coalesced","into_at":"2026-03-29T01:30:00Z","late_ms":7200000},
          {"at":"2026-03-27T01:30:00Z","outcome":"fired","reason":"resumed","run_id":"%s","late_ms":12}],
        "next":[
          {"at":"2100-10-31T00:30:00Z","due_at":"2100-10-31T00:30:00Z","reason":null,"note":"first of two 02:30"},
          {"at":"2100-11-01T01:30:00Z","due_at":"2100-11-01T01:30:00Z","reason":"calendar: holidays","note":null}]\
        """
            .formatted(RUN));
    var result = shell.run("schedule", "etl", "--past", "3", "--next", "2");
    assertThat(result.out().lines().map(String::strip))
        .containsSubsequence(
            "nightly  cron 30 2 * * * Europe/Berlin",
            "missed: fire_once, calendar: holidays",
            "Fri 2026-03-27 02:30:00 +01:00  fired      12ms    run " + RUN + ", after a resume",
            "Sat 2026-03-28 02:30:00 +01:00  coalesced  2h00m   missed; Sun 2026-03-29 03:30:00"
                + " +02:00 fired for it",
            "Sun 2026-03-29 03:30:00 +02:00  skipped    1.500s  max_active was reached (overlap)");
    assertThat(result.out())
        .containsPattern(
            "Sun 2100-10-31 02:30:00 \\+02:00  next +in [0-9]+d[0-9]+h \\(first of two 02:30\\)")
        .contains(
            "Mon 2100-11-01 02:30:00 +01:00  will skip          excluded by the calendar holidays");
    assertThat(server.only(PATH).query()).isEqualTo("past=3&next=2");
  }

  @Test
  void paused_trigger_says_who_and_how_to_resume_it() {
    schedule(
        """
        "paused":true,"paused_at":"2026-03-29T01:30:00Z","paused_by":"ann","past":[],
        "next":[{"at":"2100-10-31T00:30:00Z","due_at":"2100-10-31T00:30:00Z","reason":"trigger_paused"}]\
        """);
    assertThat(shell.run("schedule", "etl", "--trigger", "nightly").out())
        .contains("by ann; resume it: belay schedule resume etl --trigger 'nightly'")
        .contains("the trigger is paused");
    assertThat(server.only(PATH).query()).startsWith("trigger=nightly&");
  }

  @Test
  void workflow_without_triggers_says_so() {
    server.on(
        "GET " + PATH,
        Said.json(
            "{\"workflow\":\"etl\",\"more\":false,\"triggers\":[],\"removed\":[{\"id\":\"x\",\"name\":\"old"
                + " one\",\"removed_at\":\"2026-03-29T01:30:00Z\"}]}"));
    var result = shell.run("schedule", "etl");
    assertThat(result.err()).contains("The workflow etl has no triggers");
    assertThat(result.out()).contains("Removed triggers").contains("old one");
  }

  @Test
  void trigger_is_paused_and_resumed_by_a_name_with_any_character() {
    var path = "/api/v1/workflows/etl/triggers/cron */5 * * * */";
    server.on(
        "POST " + path + "pause",
        Said.json("{\"paused_at\":\"2026-03-29T01:30:00Z\",\"paused_by\":\"bob\"}"));
    server.on("POST " + path + "resume", Said.json("{\"paused_at\":null}"));
    var name = "cron */5 * * * *";
    assertThat(shell.run("schedule", "pause", "etl", "--trigger", name).out())
        .contains("The trigger cron */5 * * * * of etl is paused since")
        .contains("by bob");
    assertThat(shell.run("schedule", "resume", "etl", "--trigger", name).out())
        .contains("fires again");
    assertThat(shell.run("schedule", "pause", "etl").status()).isEqualTo(2);
  }

  @Test
  void triggers_are_listed_with_their_next_instants() {
    server.on(
        "GET /api/v1/schedules",
        Said.json(
            """
            {"next":null,"items":[
              {%s"last":{"at":"2026-03-29T01:30:00Z","outcome":"fired","late_ms":12}},
              {"workflow":"b","trigger":"event x","kind":"event","expression":"x","timezone":null,"next_at":null,"last":null}]}\
            """
                .formatted(TRIGGER)));
    var result = shell.run("schedules");
    assertThat(result.out())
        .containsPattern(
            "etl +nightly +cron 30 2 \\* \\* \\* Europe/Berlin +Sun 2100-10-31 02:30:00 \\+02:00"
                + " +fired [^ ]+.* +12ms")
        .containsPattern("b +event x +event x +- +- +-");
  }

  @Test
  void misuse_is_explained() {
    assertThat(shell.run("schedule").err()).contains("Name a workflow");
    assertThat(shell.run("schedule", "etl", "--next", "201").err()).contains("between 0 and 200");
    assertThat(shell.run("schedule", "--help").out())
        .contains("belay schedule etl --trigger nightly")
        .contains("preview");
    assertThat(shell.run("schedule", "etl", "--json").status()).isEqualTo(2);
    assertThat(shell.run("schedule", "pasue", "etl", "--trigger", "nightly").err())
        .contains("There is no command \"pasue\". Did you mean pause?");
  }

  @Test
  void run_says_what_started_it() {
    server.on("GET /api/v1/runs", Said.json("{\"next\":null,\"items\":[" + run() + "]}"));
    assertThat(shell.run("runs").out()).contains("schedule: nightly");
    server.on("GET /api/v1/runs/" + RUN, Said.json(run()));
    server.on("GET /api/v1/runs/" + RUN + "/history", Said.json("{\"items\":[]}"));
    server.on("GET /api/v1/tasks", Said.json("{\"items\":[],\"next\":null}"));
    server.on(
        "GET /api/v1/runs/" + RUN + "/chains",
        Said.json(
            """
            {"next":null,"items":[
              {"workflow":"report","trigger":"workflow etl","state":"FAILED","outcome":"skipped","reason":"on"},
              {"workflow":"mail","trigger":"m","state":"FAILED","outcome":"fired","run_id":"%s"}]}
            """
                .formatted(RUN)));
    assertThat(shell.run("show", RUN).out())
        .containsPattern("report +workflow etl +skipped +the trigger does not wait for FAILED")
        .containsPattern("mail +m +fired +run " + RUN)
        .contains("stands for 2026-03-29T01:30:00Z")
        .contains("started by the trigger nightly, the end of the run " + RUN);
  }

  @Test
  void cause_names_the_kind_once() {
    server.on(
        "GET /api/v1/runs",
        Said.json(
            """
            {"next":null,"items":[
              {"id":"%s","workflow":"b","created_by":"event","cause":{"trigger":"event x"}},
              {"id":"%s","workflow":"b","created_by":"backfill","logical_date":"2026-03-29T01:30:00Z",
               "cause":{"trigger":"nightly","backfill_id":"%s"}}]}
            """
                .formatted(RUN, RUN, RUN)));
    assertThat(shell.run("runs").out())
        .contains(" event x ")
        .doesNotContain("event: event x")
        .contains("backfill 2026-03-29T01:30:00Z");
  }

  @Test
  void dry_run_of_a_backfill_counts_and_shows_local_times() {
    server.on(
        "POST /api/v1/workflows/etl/backfills",
        Said.json(
            """
            {"workflow":"etl","trigger":"nightly","zone":"Europe/Berlin","from":"2025-12-31T23:00:00Z",
             "to":"2026-01-02T23:00:00Z","total":2,"next":null,"items":[
              {"at":"2026-01-01T01:00:00Z","action":"run","reason":null},
              {"at":"2026-01-02T01:00:00Z","action":"skip","reason":"exists: SUCCEEDED"}]}
            """));
    var result =
        shell.run(
            "backfill", "start", "etl", "--from", "2026-01-01", "--to", "2026-01-03", "--dry-run");
    assertThat(result.out())
        .contains(
            "2026-01-02T01:00:00Z  Fri 2026-01-02 02:00:00 +01:00  skip    exists: SUCCEEDED");
    assertThat(result.err())
        .contains("from Thu 2026-01-01 00:00:00 +01:00 until Sat 2026-01-03 00:00:00 +01:00.")
        .contains("2 listed: 1 would run, 1 would be skipped. Nothing was started.");
  }

  @Test
  void refusal_says_each_thing_once() {
    server.on(
        "POST /api/v1/workflows/etl/backfills",
        new Said(
            422,
            "application/problem+json",
            "{\"detail\":\"The backfill is not valid: to: must be after from. Nothing was"
                + " started.\",\"errors\":[{\"field\":\"to\",\"message\":\"must be after"
                + " from\"}]}"));
    assertThat(shell.run("backfill", "start", "etl", "--from", "2", "--to", "1").err())
        .containsOnlyOnce("must be after from");
  }

  private static String run() {
    return """
    {"id":"%s","workflow":"etl","version":1,"state":"RUNNING","created_at":"2026-03-29T01:30:01Z",
     "created_by":"schedule","logical_date":"2026-03-29T01:30:00Z",
     "cause":{"trigger":"nightly","backfill_id":null,"upstream_run_id":"%s","event_id":null}}\
    """
        .formatted(RUN, RUN);
  }
}
