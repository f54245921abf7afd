package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.domain.schedule.At;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Missed;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.TriggerSpec.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriggersTest {

  private static final String PARAMS =
      "params: {day: {type: date, default: \"2026-01-31\"}, mode: {type: enum, values: [full,"
          + " daily], default: daily}, n: {type: int, default: 1}}\n";

  @Test
  void a_schedule_has_the_defaults() throws Exception {
    assertThat(trigger("{cron: \"0 2 * * *\"}"))
        .isEqualTo(
            new TriggerSpec.Timed(
                "cron 0 2 * * *",
                new Timing(
                    Cron.parse("0 2 * * *"),
                    ZoneId.of("UTC"),
                    Dst.DEFAULT,
                    null,
                    null,
                    null,
                    Duration.ZERO),
                Missed.DEFAULT,
                Map.of()));
  }

  @Test
  void a_schedule_has_what_is_written() throws Exception {
    assertThat(
            trigger(
                """
                {name: nightly, cron: "0 2 * * 1-5", timezone: Europe/Berlin,
                 dst: {gap: skip, repeat: both}, start: "2026-03-01", end: "2026-07-01T12:00:00",
                 calendar: holidays, jitter: 30s, missed: fire_all, missed_after: 5m,
                 missed_max: 7, missed_age: 2d, params: {mode: full, n: 3, day: "2026-02-01"}}
                """))
        .isEqualTo(
            new TriggerSpec.Timed(
                "nightly",
                new Timing(
                    Cron.parse("0 2 * * 1-5"),
                    ZoneId.of("Europe/Berlin"),
                    new Dst(Dst.Gap.SKIP, Dst.Repeat.BOTH),
                    Instant.parse("2026-02-28T23:00:00Z"),
                    Instant.parse("2026-07-01T10:00:00Z"),
                    "holidays",
                    Duration.ofSeconds(30)),
                new Missed(Missed.Policy.FIRE_ALL, Duration.ofMinutes(5), 7, Duration.ofDays(2)),
                Map.of("mode", "full", "n", 3L, "day", "2026-02-01")));
  }

  @Test
  void an_interval_has_an_anchor_and_is_named_by_its_length() {
    assertThat(timing("{every: 900s}").recurrence())
        .isEqualTo(new Every(Duration.ofMinutes(15), Instant.EPOCH));
    assertThat(trigger("{every: 900s}").name()).isEqualTo("every 15m");
    assertThat(
            timing("{every: 1d, anchor: \"2026-01-01T06:00:00\", timezone: Asia/Kolkata}")
                .recurrence())
        .isEqualTo(new Every(Duration.ofDays(1), Instant.parse("2026-01-01T00:30:00Z")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "at: \"2026-12-24T18:00:00\", timezone: Europe/Berlin | 2026-12-24T17:00:00Z",
        "at: \"2026-12-24T18:00:00\" | 2026-12-24T18:00:00Z",
        "at: \"2026-12-24T18:00:00+05:30\", timezone: Europe/Berlin | 2026-12-24T12:30:00Z",
        "at: 2026-12-24, timezone: Europe/Berlin | 2026-12-23T23:00:00Z",
        // 02:30 does not exist on the day of the change, and occurs twice in autumn.
        "at: \"2026-03-29T02:30:00\", timezone: Europe/Berlin | 2026-03-29T01:30:00Z",
        "at: \"2026-10-25T02:30:00\", timezone: Europe/Berlin | 2026-10-25T00:30:00Z",
        "at: \"2026-10-25T02:30:00\", timezone: Europe/Berlin, dst: {repeat: last} |"
            + " 2026-10-25T01:30:00Z",
        "at: \"2026-10-25T02:30:00\", timezone: UTC, dst: {repeat: both} | 2026-10-25T02:30:00Z",
        // Midnight does not exist on this day.
        "at: 2026-03-29, timezone: Asia/Beirut | 2026-03-28T22:00:00Z"
      })
  void a_single_time_is_local_unless_it_has_an_offset(String written, String expected) {
    assertThat(timing("{" + written + "}").recurrence()).isEqualTo(new At(Instant.parse(expected)));
  }

  @Test
  void a_chain_names_the_ends_that_count() {
    assertThat(trigger("{workflow: up}"))
        .isEqualTo(
            new TriggerSpec.AfterWorkflow(
                "workflow up", "up", Set.of(RunState.SUCCEEDED), Map.of()));
    assertThat(on("failed")).containsExactly(RunState.FAILED);
    assertThat(on("[failed, cancelled]"))
        .containsExactlyInAnyOrder(RunState.FAILED, RunState.CANCELLED);
    assertThat(on("ended"))
        .containsExactlyInAnyOrder(RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED);
  }

  private static Set<RunState> on(String written) {
    return ((TriggerSpec.AfterWorkflow) trigger("{workflow: up, on: " + written + "}")).on();
  }

  @Test
  void events_have_a_condition_params_and_a_window() {
    assertThat(
            trigger(
                "{event: file-arrived, when: \"${{ event.size > 0 }}\", params: {day: \"${{"
                    + " event.day }}\", n: 5}}"))
        .isEqualTo(
            new TriggerSpec.OnEvent(
                "event file-arrived",
                "file-arrived",
                new Template("${{ event.size > 0 }}"),
                new Window.None(),
                Map.of("day", new Template("${{ event.day }}"), "n", 5L)));
    assertThat(window("batch: {max: 100, wait: 1m}"))
        .isEqualTo(new Window.Batch(100, Duration.ofMinutes(1)));
    assertThat(window("batch: {max: 100, wait: 1m}, params: {n: \"${{ events.size() }}\"}"))
        .isInstanceOf(Window.Batch.class);
    assertThat(window("debounce: 5s"))
        .isEqualTo(new Window.Debounce(Duration.ofSeconds(5), Duration.ofSeconds(50)));
    assertThat(window("debounce: {quiet: 5s, max: 1m}"))
        .isEqualTo(new Window.Debounce(Duration.ofSeconds(5), Duration.ofMinutes(1)));
  }

  private static Window window(String written) {
    return ((TriggerSpec.OnEvent) trigger("{event: e, " + written + "}")).window();
  }

  @Test
  void limits_and_promises_of_runs_are_read() {
    assertThat(
            ParsedFiles.valid(
                    "run: {max_active: 1, overlap: cancel_running, timeout: 2h, deadline: 6h,"
                        + " expect_by: \"06:00 Europe/Berlin\"}\ntask: {command: [x]}")
                .run())
        .isEqualTo(
            new RunLimits(
                1,
                null,
                RunLimits.Overlap.CANCEL_RUNNING,
                Duration.ofHours(2),
                Duration.ofHours(6),
                new RunLimits.ExpectBy(LocalTime.of(6, 0), ZoneId.of("Europe/Berlin"))));
    assertThat(
            ParsedFiles.valid("run: {expect_by: \"23:59:30\"}\ntask: {command: [x]}")
                .run()
                .expectBy())
        .isEqualTo(new RunLimits.ExpectBy(LocalTime.of(23, 59, 30), ZoneId.of("UTC")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "max_active: 0 | 'max_active' must be a whole number",
        "overlap: skip | 'overlap' needs 'max_active'",
        "max_active: 1, overlap: wait | 'overlap' must be one of allow, skip, queue,"
            + " cancel_running",
        "timeout: 0s | 'timeout' must be a duration",
        "deadline: soon | 'deadline' must be a duration",
        "expect_by: 6am | 'expect_by' must be a time of the day and a time zone",
        "expect_by: \"24:00\" | 'expect_by' must be a time of the day",
        "expect_by: [1] | not a list",
        "expect_by: \"06:00 Berlin\" | there is no time zone 'Berlin'; did you mean"
            + " 'Europe/Berlin'?"
      })
  void wrong_limits_are_refused(String written, String expected) {
    assertThat(ParsedFiles.problems("run: {" + written + "}\ntask: {command: [x]}"))
        .singleElement()
        .asString()
        .contains(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{name: a} | a trigger needs one of 'cron', 'every', 'at', 'workflow' and 'event'",
        "{cron: \"0 2 * * *\", every: 5m} | a trigger has either 'cron' or 'every', not both",
        "{crn: \"0 2 * * *\"} | unknown key 'crn' in a trigger; did you mean 'cron'?",
        "{cron: \"0 2 * * *\", anchor: 2026-01-01} | 'anchor' is for 'every', not for 'cron'",
        "{every: 5m, dst: {gap: skip}} | 'dst' is for 'cron' and 'at', not for 'every'",
        "{at: 2026-12-24, end: 2026-12-25} | 'end' is for 'cron' and 'every', not for 'at'",
        "{workflow: up, timezone: UTC} | 'timezone' is for 'cron', 'every' and 'at', not for"
            + " 'workflow'",
        "{cron: \"0 2 * * *\", on: failed} | 'on' is for 'workflow', not for 'cron'",
        "{workflow: up, when: \"${{ true }}\"} | 'when' is for 'event', not for 'workflow'",
        "{event: e, missed: skip} | 'missed' is for 'cron', 'every' and 'at', not for 'event'",
        "{every: 5m, timezone: Europe/Belin} | there is no time zone 'Europe/Belin'; did you mean"
            + " 'Europe/Berlin'?",
        "{every: 5m, timezone: new york} | did you mean 'America/New_York'?",
        "{every: 5m, timezone: +02:00} | must be an IANA time zone such as Europe/Berlin or UTC",
        "{every: 5m, timezone: } | must be an IANA time zone such as Europe/Berlin or UTC, not"
            + " nothing",
        "{every: 10ms} | at least 1s",
        "{every: 5m, jitter: 5m} | 'jitter' must be shorter than 'every', 5m",
        "{cron: \"0 2 * * *\", jitter: 365d} | 'jitter' must be a duration",
        "{every: 5m, start: 2026-02-01, end: 2026-01-01} | 'end' must be after 'start'",
        "{every: 5m, start: tomorrow} | 'start' must be a date such as 2026-12-24",
        "{every: 5m, start: 1969-01-01} | in the years 1970 to 2199",
        "{at: \"+99999-01-01T00:00:00\"} | in the years 1970 to 2199",
        "{at: \"2026-03-29T02:30:00\", timezone: Europe/Berlin, dst: {gap: skip}} | would never"
            + " fire",
        "{at: \"2026-10-25T02:30:00\", timezone: Europe/Berlin, dst: {repeat: both}} | 'at' fires"
            + " once",
        "{every: 5m, missed_max: 5} | 'missed_max' needs 'missed: fire_all'",
        "{every: 5m, missed: skip, missed_age: 5d} | 'missed_age' needs 'missed: fire_once'",
        "{every: 5m, missed: fire_all, missed_max: 100000} | a whole number from 1 to 10000",
        "{every: 5m, calendar: Holidays} | 'calendar' must be a name",
        "{every: 5m, name: My Trigger} | 'name' must be a name",
        "{workflow: w} | a workflow cannot start itself: w -> w",
        "{workflow: up, on: done} | 'on' must be one of succeeded, failed, cancelled, ended",
        "{workflow: up, on: []} | 'on' is empty",
        "{event: e, when: event.size} | 'when' must be one expression such as",
        "{event: e, when: \"${{ event.size + }}\"} | bad expression: it ends too early",
        "{event: e, when: \"${{ string(event) }}\"} | 'when' must be true or false",
        "{event: e, when: \"${{ params.day == run.id }}\"} | unknown name 'params'",
        "{event: e, params: {n: \"${{ events.size() }}\"}} | 'events' is only for the params of a"
            + " trigger with 'batch'",
        "{event: e, params: {n: \"${{ event.a == 1 }}\"}} | the parameter must be a whole number",
        "{event: e, batch: {max: 10, wait: 1m}, debounce: 5s} | either 'batch' or 'debounce', not"
            + " both",
        "{event: e, batch: {max: 1, wait: 1m}} | a whole number from 2 to 1000",
        "{event: e, batch: {max: 10}} | 'wait' is missing in 'batch'",
        "{event: e, debounce: {max: 1m}} | 'quiet' is missing in 'debounce'",
        "{event: e, debounce: {quiet: 1m, max: 5s}} | 'max' of 'debounce' must be at least 'quiet'",
        "{event: e, debounce: 30d} | at most 1d",
        "{every: 5m, params: {dey: \"2026-01-01\"}} | unknown parameter 'dey'; did you mean 'day'?",
        "{every: 5m, params: {n: many}} | parameter 'n' must be a whole number, because the type is"
            + " 'int'",
        "{every: 5m, params: {n: }} | parameter 'n' must be a whole number",
        "{every: 5m, params: {mode: half}} | parameter 'mode' must be one of full, daily",
        "{every: 5m, params: {day: \"${{ run.logical_date }}\"}} | only a trigger with 'event' may"
            + " have expressions"
      })
  void wrong_triggers_are_refused(String written, String expected) {
    assertThat(
            ParsedFiles.problems(
                "name: w\n" + PARAMS + "triggers: [" + written + "]\ntask: {command: [x]}"))
        .singleElement()
        .asString()
        .startsWith("w.yaml:3:")
        .contains(expected);
  }

  @Test
  void all_problems_come_at_once_with_their_places() {
    assertThat(
            ParsedFiles.problems(
                """
                name: w
                params: {rows: {type: int}}
                triggers:
                  - {every: 5m, params: {rows: 1}}
                  - every: 300s
                    params: {rows: x}
                  - name: third
                    at: noon
                    zone: UTC
                run: {overlap: skip}
                task: {command: [x]}
                """))
        .satisfiesExactly(
            twice ->
                assertThat(twice)
                    .isEqualTo(
                        "w.yaml:5:5: duplicate trigger name 'every 5m'; it is already on line 4:"
                            + " give one another 'name'"),
            rows -> assertThat(rows).startsWith("w.yaml:6:20: parameter 'rows' must be"),
            missing ->
                assertThat(missing)
                    .isEqualTo(
                        "w.yaml:7:5: parameter 'rows' has no default, so each trigger must give"
                            + " it: params: {rows: ...}"),
            noon -> assertThat(noon).startsWith("w.yaml:8:9: 'at' must be a date"),
            zone ->
                assertThat(zone)
                    .isEqualTo(
                        "w.yaml:9:5: unknown key 'zone' in a trigger; write 'timezone:"
                            + " Europe/Berlin'"),
            overlap -> assertThat(overlap).startsWith("w.yaml:10:7: 'overlap' needs"));
  }

  private static TriggerSpec trigger(String written) {
    List<TriggerSpec> triggers =
        ParsedFiles.valid(
                "name: w\n" + PARAMS + "triggers:\n  - " + written + "\ntask: {command: [x]}")
            .triggers();
    TriggerSpec trigger = triggers.getFirst();
    assertThat(SpecCodec.triggerFromJson(SpecCodec.triggerToJson(trigger))).isEqualTo(trigger);
    return trigger;
  }

  private static Timing timing(String written) {
    return ((TriggerSpec.Timed) trigger(written)).timing();
  }
}
