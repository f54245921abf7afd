package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Triggers and their ledger as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScheduleApiTest {

  private static final String ETL =
      """
      name: etl
      triggers:
        - {name: nightly, cron: "30 2 * * *", timezone: Europe/Berlin, start: "2100-10-30T00:00:00"}
        - {cron: "*/5 * * * *", jitter: 30s}
        - {workflow: upstream, on: [failed, cancelled]}
        - {event: file-arrived, when: "${{ event.size > 0 }}"}
      tasks: [{name: a, command: ["true"]}]
      """;
  private static final String EVERY_FIVE = "cron */5 * * * *";
  private static final String SCHEDULE = "/api/v1/workflows/etl/schedule";
  private static final String FIRES = "/api/v1/workflows/etl/fires";

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder);
  }

  @BeforeEach
  void register() {
    api.store.clear();
    assertThat(api.postYaml("/api/v1/workflows", ETL).status()).isEqualTo(201);
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void workflow_says_how_many_triggers_it_has() {
    api.postYaml("/api/v1/workflows", "name: plain\ntasks: [{name: a, command: [x]}]");
    var listed = api.fetch("/api/v1/workflows").json().get("items");
    assertThat(listed.findValuesAsText("trigger_count")).containsExactly("0", "4");
    assertThat(api.fetch("/api/v1/workflows/etl").json().get("trigger_count").asInt()).isEqualTo(4);
  }

  @Test
  void triggers_are_listed_with_their_next_instant() {
    api.postYaml("/api/v1/workflows", "name: plain\ntasks: [{name: a, command: [x]}]");
    var items = api.fetch("/api/v1/schedules").json().get("items");
    assertThat(items.findValuesAsText("trigger"))
        .containsExactly(EVERY_FIVE, "event file-arrived", "nightly", "workflow upstream");
    var nightly = items.get(2);
    assertThat(nightly.get("kind").asText()).isEqualTo("cron");
    assertThat(nightly.get("expression").asText()).isEqualTo("30 2 * * *");
    assertThat(nightly.get("timezone").asText()).isEqualTo("Europe/Berlin");
    assertThat(nightly.get("next_at").asText()).isEqualTo("2100-10-30T00:30:00Z");
    assertThat(nightly.get("next_reason").isNull()).isTrue();
    assertThat(nightly.get("last").isNull()).isTrue();
    assertThat(nightly.get("paused").asBoolean()).isFalse();
    assertThat(items.get(0).get("jitter").asText()).isEqualTo("30s");
    assertThat(api.fetch("/api/v1/schedules?workflow=plain").json().get("items")).isEmpty();
    var first = api.fetch("/api/v1/schedules?limit=3").json();
    var second = api.fetch("/api/v1/schedules?cursor=" + first.get("next").asText()).json();
    assertThat(second.get("items").findValuesAsText("trigger"))
        .containsExactly("workflow upstream");
  }

  @Test
  void schedule_shows_the_next_instants_and_what_changes_of_clocks_do() {
    var trigger = trigger("nightly", "&next=3");
    var next = trigger.get("next");
    assertThat(next.findValuesAsText("at"))
        .containsExactly("2100-10-30T00:30:00Z", "2100-10-31T00:30:00Z", "2100-11-01T01:30:00Z");
    assertThat(next.findValuesAsText("local"))
        .containsExactly("2100-10-30T02:30", "2100-10-31T02:30", "2100-11-01T02:30");
    assertThat(next.findValuesAsText("offset")).containsExactly("+02:00", "+02:00", "+01:00");
    assertThat(next.get(0).get("note").isNull()).isTrue();
    assertThat(next.get(1).get("note").asText()).isEqualTo("first of two 02:30");
    assertThat(next.get(1).get("due_at").asText()).isEqualTo("2100-10-31T00:30:00Z");
  }

  @Test
  void schedule_of_a_workflow_has_all_its_triggers() {
    var schedule = api.fetch(SCHEDULE).json();
    assertThat(schedule.get("triggers")).hasSize(4);
    assertThat(schedule.get("more").asBoolean()).isFalse();
    assertThat(schedule.get("removed")).isEmpty();
    var every = schedule.get("triggers").get(0);
    assertThat(every.get("next")).hasSize(20);
    assertThat(schedule.get("triggers").get(1).get("waits_for").asText())
        .startsWith("the event file-arrived when ${{ event.size > 0 }}");
    assertThat(schedule.get("triggers").get(3).get("waits_for").asText())
        .isEqualTo("the end of a run of upstream: FAILED or CANCELLED");
    assertThat(api.fetch(SCHEDULE + "?next=0&past=0").json().get("triggers").get(0).get("next"))
        .isEmpty();
  }

  @Test
  void ledger_shows_every_outcome_with_its_reason() {
    row("2026-11-18T00:00:00Z", "fired", "NULL", "'00000000-0000-0000-0000-000000000001'", "NULL");
    row("2026-11-18T00:05:00Z", "skipped", "'overlap'", "NULL", "NULL");
    row("2026-11-18T00:10:00Z", "coalesced", "NULL", "NULL", "'2026-11-18T00:15:00Z'");
    var past = trigger(EVERY_FIVE, "&past=2").get("past");
    assertThat(past.findValuesAsText("outcome")).containsExactly("coalesced", "skipped");
    assertThat(past.get(0).get("into_at").asText()).isEqualTo("2026-11-18T00:15:00Z");
    assertThat(past.get(1).get("reason").asText()).isEqualTo("overlap");
    assertThat(past.get(1).get("late_ms").asLong()).isEqualTo(1_500);

    var all = new ArrayList<String>();
    var page = api.fetch(FIRES + "?limit=2").json();
    page.get("items").forEach(item -> all.add(item.get("outcome").asText()));
    page = api.fetch(FIRES + "?limit=2&cursor=" + encoded(page.get("next").asText())).json();
    page.get("items").forEach(item -> all.add(item.get("outcome").asText()));
    assertThat(page.get("next").isNull()).isTrue();
    assertThat(all).containsExactly("coalesced", "skipped", "fired");
    assertThat(api.fetch(FIRES + "?outcome=fired").json().get("items")).hasSize(1);
    assertThat(api.fetch(FIRES + "?trigger=nightly").json().get("items")).isEmpty();
    var last = api.fetch("/api/v1/schedules").json().get("items").get(0).get("last");
    assertThat(last.get("outcome").asText()).isEqualTo("coalesced");
  }

  /** The name has spaces, stars and a slash. */
  @Test
  void trigger_is_paused_and_resumed_by_its_name() {
    var path = "/api/v1/workflows/etl/triggers/" + encoded(EVERY_FIVE);
    var paused = api.post(path + "/pause", "").json();
    assertThat(paused.get("paused").asBoolean()).isTrue();
    assertThat(paused.get("trigger").asText()).isEqualTo(EVERY_FIVE);
    assertThat(api.post(path + "/pause", "").json()).isEqualTo(paused);
    var shown = trigger(EVERY_FIVE, "&next=1");
    assertThat(shown.get("paused_at")).isEqualTo(paused.get("paused_at"));
    assertThat(shown.get("next_reason").asText()).isEqualTo("trigger_paused");
    assertThat(shown.get("next").get(0).get("reason").asText()).isEqualTo("trigger_paused");
    assertThat(trigger("nightly", "").get("next_reason").isNull()).isTrue();
    assertThat(api.post(path + "/resume", "").json().get("paused").asBoolean()).isFalse();
    assertThat(api.post(path + "/resume", "").status()).isEqualTo(200);
    assertThat(trigger(EVERY_FIVE, "").get("paused").asBoolean()).isFalse();
  }

  @Test
  void instants_of_a_paused_workflow_say_so() {
    api.post("/api/v1/workflows/etl/pause", "");
    var shown = trigger("nightly", "&next=1");
    assertThat(shown.get("workflow_paused").asBoolean()).isTrue();
    assertThat(shown.get("next_reason").asText()).isEqualTo("paused");
  }

  @Test
  void instants_on_the_days_of_a_calendar_say_so() {
    var system = "kind: system\\ncalendars: {holidays: {dates: ['2100-10-31']}}";
    var applied =
        api.post(
            "/api/v1/apply",
            "{\"files\": [{\"file\": \"s.yaml\", \"source\": \"%s\"}]}".formatted(system));
    assertThat(applied.status()).as(applied.text()).isEqualTo(200);
    var file =
        ETL.replace("timezone: Europe/Berlin,", "timezone: Europe/Berlin, calendar: holidays,");
    assertThat(api.postYaml("/api/v1/workflows", file).status()).isEqualTo(201);
    var next = trigger("nightly", "&next=2").get("next");
    assertThat(next.get(0).get("reason").isNull()).isTrue();
    assertThat(next.get(1).get("reason").asText()).isEqualTo("calendar: holidays");
  }

  @Test
  void removed_trigger_keeps_its_past() {
    row("2026-11-18T00:05:00Z", "skipped", "'overlap'", "NULL", "NULL");
    api.postYaml("/api/v1/workflows", "name: etl\ntasks: [{name: a, command: [x]}]");
    var schedule = api.fetch(SCHEDULE).json();
    assertThat(schedule.get("triggers")).isEmpty();
    assertThat(schedule.get("removed").findValuesAsText("name"))
        .containsExactlyInAnyOrder(
            "nightly", EVERY_FIVE, "workflow upstream", "event file-arrived");
    var shown = trigger(EVERY_FIVE, "");
    assertThat(shown.get("removed_at").isNull()).isFalse();
    assertThat(shown.get("next")).isEmpty();
    assertThat(shown.get("past")).hasSize(1);
    assertThat(
            api.post("/api/v1/workflows/etl/triggers/" + encoded(EVERY_FIVE) + "/pause", "")
                .status())
        .isEqualTo(404);
  }

  @Test
  void unknown_names_are_refused_with_the_known_ones() {
    var unknown = api.fetch(SCHEDULE + "?trigger=nightl");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.json().get("detail").asText())
        .isEqualTo(
            "The workflow etl has no trigger 'nightl'; it has 'cron */5 * * * *', 'event"
                + " file-arrived', 'nightly', 'workflow upstream'.");
    assertThat(api.post("/api/v1/workflows/etl/triggers/x/pause", "").status()).isEqualTo(404);
    for (var path : List.of("schedule", "fires", "schedule?trigger=x", "fires?trigger=x")) {
      assertThat(api.fetch("/api/v1/workflows/nope/" + path).json().get("detail").asText())
          .as(path)
          .contains("no workflow nope");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SCHEDULE + "?next=201",
        SCHEDULE + "?past=-1",
        SCHEDULE + "?pats=1",
        FIRES + "?outcome=lost",
        FIRES + "?outcome=fired,skipped",
        FIRES + "?cursor=x",
        FIRES + "?limit=0",
        "/api/v1/schedules?cursor=x"
      })
  void wrong_parameters_are_refused(String path) {
    assertThat(api.fetch(path).status()).isEqualTo(400);
  }

  private JsonNode trigger(String name, String more) {
    var answer = api.fetch(SCHEDULE + "?trigger=" + encoded(name) + more);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.json().get("triggers").get(0);
  }

  private void row(String at, String outcome, String reason, String run, String into) {
    api.store.run(
        """
        INSERT INTO fire (trigger_id, at, due_at, outcome, reason, run_id, into_at, decided_at)
        SELECT id, '%s', '%s', '%s', %s, %s, %s, TIMESTAMPTZ '%s' + interval '1500 ms'
        FROM trigger WHERE name = '%s'\
        """
            .formatted(at, at, outcome, reason, run, into, at, EVERY_FIVE));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
