package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.server.api.ApiFixture.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Backfills as a caller sees them; no leader advances them here. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BackfillApiTest {

  private static final String PATH = "/api/v1/workflows/etl/backfills";
  private static final String FILE =
      """
      name: etl
      params:
        day: {type: string, default: "${{ run.logical_date }}"}
        mode: {type: enum, values: [full, part], default: part}
      triggers:
        - {name: nightly, cron: "0 2 * * *", timezone: Europe/Berlin, params: {mode: full}}
        - {workflow: other}
      tasks: [{name: a, command: [x]}]
      """;

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder, "backfill-instants-max=100");
  }

  @BeforeEach
  void register() {
    api.store.clear();
    api.store.run("DELETE FROM backfill");
    assertThat(api.postYaml("/api/v1/workflows", FILE).status()).isEqualTo(201);
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private Answer ask(String fields, String... headers) {
    return api.post(PATH, "{" + fields.replace('\'', '"') + "}", headers);
  }

  @Test
  void dry_run_lists_the_exact_instants_across_a_change_of_the_clocks() {
    var list = ask("'from':'2026-03-28','to':'2026-03-31','dry_run':true").json();
    assertThat(list.get("total").asInt()).isEqualTo(3);
    assertThat(list.get("items").findValuesAsText("at"))
        .containsExactly("2026-03-28T01:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z");
    assertThat(list.get("items").findValuesAsText("action")).containsOnly("run");
    assertThat(api.fetch("/api/v1/backfills").json().get("items")).isEmpty();
  }

  @Test
  void part_of_a_list_is_refused_where_runs_would_start() {
    for (var field : List.of("'limit':3", "'cursor':'2026-01-02T00:00:00Z'")) {
      var refused = ask("'from':'2026-01-01','to':'2026-01-05'," + field);
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.text()).contains(field.split("'")[1], "dry_run");
    }
    assertThat(api.store.count("backfill")).isZero();
  }

  @Test
  void dry_run_has_pages_and_says_what_exists() {
    var run = api.post("/api/v1/workflows/etl/runs", "{\"logical_date\":\"2026-01-02T01:00:00Z\"}");
    assertThat(run.status()).isEqualTo(201);
    var first =
        ask("'from':'2026-01-01','to':'2026-01-05','order':'back','dry_run':true,'limit':3").json();
    assertThat(first.get("items").findValuesAsText("at"))
        .containsExactly("2026-01-04T01:00:00Z", "2026-01-03T01:00:00Z", "2026-01-02T01:00:00Z");
    assertThat(first.get("items").get(2).get("action").asText()).isEqualTo("skip");
    assertThat(first.get("items").get(2).get("reason").asText()).isEqualTo("exists: QUEUED");
    var rest =
        ask("'from':'2026-01-01','to':'2026-01-05','order':'back','dry_run':true,'cursor':'"
                + first.get("next").asText()
                + "'")
            .json();
    assertThat(rest.get("items").findValuesAsText("at")).containsExactly("2026-01-01T01:00:00Z");
    assertThat(rest.get("next").isNull()).isTrue();
  }

  @Test
  void started_backfill_is_shown_with_its_progress_and_the_same_key_finds_it() {
    var fields =
        "'from':'2026-01-01','to':'2026-01-11','concurrency':3,'existing':'all','params':{'mode':'part'}";
    var started = ask(fields, "Idempotency-Key", "k1");
    assertThat(started.status()).as(started.text()).isEqualTo(201);
    var backfill = started.json();
    assertThat(backfill.get("state").asText()).isEqualTo("RUNNING");
    assertThat(backfill.get("trigger").asText()).isEqualTo("nightly");
    assertThat(backfill.get("trigger_id").isNull()).isFalse();
    assertThat(backfill.get("total").asInt()).isEqualTo(10);
    assertThat(backfill.get("next_instant").asText()).isEqualTo("2026-01-01T01:00:00Z");
    assertThat(backfill.get("params").get("mode").asText()).isEqualTo("part");
    assertThat(backfill.get("runs").get("succeeded").asInt()).isZero();
    assertThat(ask(fields, "Idempotency-Key", "k1").json().get("id")).isEqualTo(backfill.get("id"));
    assertThat(ask(fields + ",'order':'back'", "Idempotency-Key", "k1").status()).isEqualTo(409);
    var listed = api.fetch("/api/v1/backfills?workflow=etl").json().get("items");
    assertThat(listed).hasSize(1);
    assertThat(listed.get(0).get("id")).isEqualTo(backfill.get("id"));
  }

  @Test
  void backfill_is_paused_resumed_and_cancelled() {
    var id = ask("'from':'2026-01-01','to':'2026-01-11'").json().get("id").asText();
    var path = "/api/v1/backfills/" + id;
    assertThat(api.post(path + "/pause", "").json().get("state").asText()).isEqualTo("PAUSED");
    assertThat(api.fetch(path).json().get("waiting").get("reason").asText()).isEqualTo("paused");
    assertThat(api.post(path + "/resume", "").json().get("state").asText()).isEqualTo("RUNNING");
    assertThat(api.post(path + "/cancel", "{\"runs\": true}").json().get("state").asText())
        .isEqualTo("CANCELLED");
    assertThat(api.post(path + "/cancel", "").status()).isEqualTo(200);
    assertThat(api.post(path + "/resume", "").status()).isEqualTo(409);
    assertThat(api.fetch(path).json().get("reason").asText()).startsWith("cancelled by ");
    assertThat(api.post(path + "/cancel", "{\"tasks\": true}").status()).isEqualTo(422);
    assertThat(api.fetch("/api/v1/backfills/" + UUID.randomUUID()).status()).isEqualTo(404);
  }

  @Test
  void expression_of_the_request_takes_the_place_of_a_trigger() {
    var list = ask("'every':'6h','from':'2026-01-01','to':'2026-01-02','dry_run':true").json();
    assertThat(list.get("total").asInt()).isEqualTo(4);
    assertThat(list.get("trigger").asText()).isEqualTo("every 6h");
    var local =
        ask("'cron':'0 0 * * *','zone':'Asia/Kolkata','from':'2026-01-01','to':'2026-01-03',"
                + "'dry_run':true")
            .json();
    assertThat(local.get("items").findValuesAsText("at"))
        .containsExactly("2025-12-31T18:30:00Z", "2026-01-01T18:30:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'from':'2026-01-01'|to",
        "'from':'2026-01-02','to':'2026-01-01'|to",
        "'from':'2026-01-01','to':'2199-01-01'|to",
        "'from':'2025-01-01','to':'2026-01-01'|to",
        "'from':'tomorrow','to':'2026-01-01'|from",
        "'from':'2026-01-01T03:00:00','to':'2026-01-01T04:00:00'|from",
        "'from':'2026-01-01','to':'2026-01-02','trigger':'daily'|trigger",
        "'from':'2026-01-01','to':'2026-01-02','trigger':'nightly','every':'1d'|trigger",
        "'from':'2026-01-01','to':'2026-01-02','cron':'x'|cron",
        "'from':'2026-01-01','to':'2026-01-02','every':'10ms'|every",
        "'from':'2026-01-01','to':'2026-01-02','cron':'0 0 * * *','zone':'Mars'|zone",
        "'from':'2026-01-01','to':'2026-01-02','zone':'UTC'|zone",
        "'from':'2026-01-01','to':'2026-01-02','concurrency':0|concurrency",
        "'from':'2026-01-01','to':'2026-01-02','order':'up'|order",
        "'from':'2026-01-01','to':'2026-01-02','existing':'some'|existing",
        "'from':'2026-01-01','to':'2026-01-02','params':{'mode':'half'}|params",
        "'from':'2026-01-01','to':'2026-01-02','wait':1|wait"
      },
      quoteCharacter = '#')
  void request_that_means_nothing_is_refused_with_its_field(String fields, String field) {
    var refused = ask(fields);
    assertThat(refused.status()).as(refused.text()).isEqualTo(422);
    assertThat(refused.json().get("errors").get(0).get("field").asText()).isEqualTo(field);
    assertThat(api.fetch("/api/v1/backfills").json().get("items")).isEmpty();
  }

  @Test
  void days_of_its_calendar_are_left_out() {
    api.store.run(
        "DELETE FROM calendar",
        "INSERT INTO calendar (name, spec) VALUES ('weekend', '{\"weekdays\": [\"SATURDAY\","
            + " \"SUNDAY\"]}')");
    var file =
        "name: work\ntriggers: [{cron: '0 0 * * *', calendar: weekend}]\n"
            + "tasks: [{name: a, command: [x]}]";
    assertThat(api.postYaml("/api/v1/workflows", file).status()).isEqualTo(201);
    var started =
        api.post(
            "/api/v1/workflows/work/backfills",
            "{\"from\": \"2026-01-01\", \"to\": \"2026-01-08\"}");
    assertThat(started.json().get("total").asInt()).isEqualTo(5);
    assertThat(api.store.text("SELECT calendar ->> 'weekdays' FROM backfill")).contains("SUNDAY");
    api.store.run("DELETE FROM calendar");
  }

  @Test
  void unknown_workflow_is_not_found() {
    var body = "{\"from\":\"2026-01-01\",\"to\":\"2026-01-02\"}";
    assertThat(api.post("/api/v1/workflows/none/backfills", body).status()).isEqualTo(404);
  }
}
