package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimingTest {

  private static Timing every(String period, String anchor) {
    return timing(new Every(Duration.parse(period), Instant.parse(anchor)), null, null);
  }

  private static Timing cron(String expression, @Nullable String start, @Nullable String end)
      throws Exception {
    return timing(Cron.parse(expression), start, end);
  }

  private static Timing timing(
      Recurrence recurrence, @Nullable String start, @Nullable String end) {
    return new Timing(
        recurrence,
        ZoneOffset.UTC,
        Dst.DEFAULT,
        start == null ? null : Instant.parse(start),
        end == null ? null : Instant.parse(end),
        null,
        Duration.ZERO);
  }

  @ParameterizedTest
  @CsvSource({
    "PT15M, 1970-01-01T00:00:00Z, 2026-01-01T00:07:00Z, 2026-01-01T00:15:00Z",
    "PT15M, 1970-01-01T00:00:00Z, 2026-01-01T00:15:00Z, 2026-01-01T00:30:00Z",
    "PT15M, 1970-01-01T00:00:00Z, 2026-01-01T00:14:59.999999999Z, 2026-01-01T00:15:00Z",
    "PT15M, 2026-01-01T00:05:00Z, 2026-01-01T00:05:00Z, 2026-01-01T00:20:00Z",
    // before the anchor
    "PT15M, 2026-01-01T00:05:00Z, 2026-01-01T00:04:59Z, 2026-01-01T00:05:00Z",
    "PT15M, 2026-01-01T00:05:00Z, 2025-12-31T23:50:00Z, 2026-01-01T00:05:00Z",
    "PT15M, 2026-01-01T00:05:00Z, 2025-12-31T23:49:59.999999999Z, 2025-12-31T23:50:00Z",
    "PT15M, 2026-01-01T00:05:00Z, 2025-12-31T23:49:00Z, 2025-12-31T23:50:00Z",
    "PT11M, 2026-01-01T00:00:00Z, 1970-01-01T00:00:00Z, 1970-01-01T00:06:00Z",
    // parts of a second
    "PT1.5S, 2026-01-01T00:00:00Z, 2026-01-01T00:00:00Z, 2026-01-01T00:00:01.500Z",
    "PT1.000001S, 2026-01-01T00:00:00Z, 2026-01-01T00:00:01.000001Z, 2026-01-01T00:00:02.000002Z",
    // anchors at the ends of time
    "PT1H, -1000000000-01-01T00:00:00Z, 2026-01-01T00:00:00Z, 2026-01-01T01:00:00Z",
    "PT1H, +1000000000-12-31T23:59:59.999999999Z, 2026-01-01T00:00:00Z,"
        + " 2026-01-01T00:59:59.999999Z",
    "P3660D, 2026-01-01T00:00:00Z, 2026-01-01T00:00:00Z, 2036-01-09T00:00:00Z"
  })
  void every_is_the_anchor_and_whole_periods(
      String period, String anchor, Instant after, Instant expected) {
    assertThat(every(period, anchor).next(after)).contains(expected);
  }

  @Test
  void periods_are_bounded() {
    for (Duration period :
        new Duration[] {
          Duration.ofMillis(999), Duration.ZERO, Duration.ofDays(-1), Duration.ofDays(3_661)
        }) {
      assertThatThrownBy(() -> new Every(period, Instant.EPOCH))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void at_is_once() {
    Timing timing = timing(new At(Instant.parse("2026-12-24T17:00:00Z")), null, null);
    assertThat(timing.next(Instant.parse("2026-12-24T16:59:59.999Z")))
        .contains(Instant.parse("2026-12-24T17:00:00Z"));
    assertThat(timing.next(Instant.parse("2026-12-24T17:00:00Z"))).isEmpty();
  }

  @Test
  void no_instant_has_parts_of_a_microsecond() {
    Instant odd = Instant.parse("2026-01-01T00:00:00.123456789Z");
    Instant even = Instant.parse("2026-01-01T00:00:00.123456Z");
    assertThat(new At(odd).instant()).isEqualTo(even);
    assertThat(new Every(Duration.ofSeconds(1, 1), odd))
        .isEqualTo(new Every(Duration.ofSeconds(1), even));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "1970-01-01T00:00:00Z, 2026-01-01T02:00:00Z, -, 2026-01-01T02:00:00Z",
        "1970-01-01T00:00:00Z, 2026-01-01T02:00:00.000001Z, -, 2026-01-02T02:00:00Z",
        "2026-01-01T02:00:00Z, 2026-01-01T02:00:00Z, -, 2026-01-02T02:00:00Z",
        "2026-01-05T02:00:00Z, 2026-01-01T02:00:00Z, -, 2026-01-06T02:00:00Z",
        "2026-01-01T00:00:00Z, -, 2026-01-01T02:00:00Z, -",
        "2026-01-01T00:00:00Z, -, 2026-01-01T02:00:00.000001Z, 2026-01-01T02:00:00Z",
        "2026-01-01T02:00:00Z, -, 2026-01-02T02:00:00Z, -",
        "2026-01-01T00:00:00Z, 2026-02-01T00:00:00Z, 2026-01-01T00:00:00Z, -"
      })
  void start_is_included_and_end_is_not(
      Instant after, @Nullable String start, @Nullable String end, @Nullable Instant expected)
      throws Exception {
    assertThat(cron("0 2 * * *", start, end).next(after).orElse(null)).isEqualTo(expected);
    Every every = new Every(Duration.ofDays(1), Instant.parse("2030-01-01T02:00:00Z"));
    assertThat(timing(every, start, end).next(after).orElse(null)).isEqualTo(expected);
  }

  @Test
  void all_instants_are_in_the_years_of_belay() throws Exception {
    for (Timing timing :
        new Timing[] {cron("0 0 * * *", null, null), every("PT24H", "2026-01-01T00:00:00Z")}) {
      assertThat(timing.next(Instant.MIN)).contains(Instant.EPOCH);
      assertThat(timing.next(Instant.parse("2199-12-30T00:00:00Z")))
          .contains(Instant.parse("2199-12-31T00:00:00Z"));
      assertThat(timing.next(Instant.parse("2199-12-31T00:00:00Z"))).isEmpty();
      assertThat(timing.next(Instant.MAX)).isEmpty();
    }
    assertThat(timing(new At(Instant.MAX), null, null).next(Instant.EPOCH)).isEmpty();
    assertThat(timing(new At(Instant.MIN), null, null).next(Instant.MIN)).isEmpty();
    assertThat(cron("0 0 * * *", "-1000000000-01-01T00:00:00Z", null).next(Instant.MIN))
        .contains(Instant.EPOCH);
  }

  @Test
  void jitter_is_the_same_each_time_and_spread_evenly() throws Exception {
    Duration jitter = Duration.ofSeconds(30);
    Timing timing =
        new Timing(Cron.parse("0 2 * * *"), ZoneOffset.UTC, Dst.DEFAULT, null, null, null, jitter);
    int[] thirds = new int[3];
    Set<Instant> seen = new HashSet<>();
    Instant instant = Instant.parse("2026-01-01T02:00:00Z");
    for (int trigger = 0; trigger < 3_000; trigger++) {
      Instant due = timing.due("trigger-" + trigger, instant);
      assertThat(due).isEqualTo(timing.due("trigger-" + trigger, instant));
      assertThat(due).isBetween(instant, instant.plus(jitter));
      seen.add(due);
      thirds[(int) Math.min(2, Duration.between(instant, due).toMillis() / 10_000)]++;
    }
    assertThat(seen).hasSizeGreaterThan(2_700);
    for (int third : thirds) {
      assertThat(third).isBetween(900, 1_100);
    }
  }

  @Test
  void jitter_of_one_trigger_differs_between_instants() throws Exception {
    Timing timing =
        new Timing(
            new Every(Duration.ofSeconds(1), Instant.EPOCH),
            ZoneOffset.UTC,
            Dst.DEFAULT,
            null,
            null,
            null,
            Duration.ofSeconds(10));
    Set<Duration> seen = new HashSet<>();
    for (int second = 0; second < 1_000; second++) {
      Instant instant = Instant.ofEpochSecond(second);
      seen.add(Duration.between(instant, timing.due("a", instant)));
    }
    assertThat(seen).hasSizeGreaterThan(900);
    seen.clear();
    for (int millis = 0; millis < 1_000; millis++) {
      Instant instant = Instant.ofEpochMilli(millis);
      seen.add(Duration.between(instant, timing.due("a", instant)));
    }
    assertThat(seen).hasSizeGreaterThan(900);
  }

  @Test
  void no_jitter_is_no_delay() throws Exception {
    Instant instant = Instant.parse("2026-01-01T02:00:00Z");
    assertThat(cron("0 2 * * *", null, null).due("a", instant)).isEqualTo(instant);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          30 2 * * *   | America/New_York    | shift | 2025-03-09T07:30:00Z | 02:30 does not exist, shifted by 1h
          30 2,3 * * * | America/New_York    | shift | 2025-03-09T07:30:00Z | also for 02:30, which does not exist
          30 3 * * *   | America/New_York    | shift | 2025-03-09T07:30:00Z | -
          30 2 * * *   | America/New_York    | shift | 2025-03-08T07:30:00Z | -
          30 2 * * *   | America/New_York    | shift | 2025-03-10T06:30:00Z | -
          30 * * * *   | America/New_York    | shift | 2025-03-09T07:30:00Z | -
          30 2,3 * * * | America/New_York    | skip  | 2025-03-09T07:30:00Z | -
          30 1 * * *   | America/New_York    | shift | 2025-11-02T05:30:00Z | first of two 01:30
          30 1 * * *   | America/New_York    | shift | 2025-11-02T06:30:00Z | second of two 01:30
          30 * * * *   | America/New_York    | shift | 2025-11-02T06:30:00Z | second of two 01:30
          0 2 * * *    | America/New_York    | shift | 2025-11-02T07:00:00Z | -
          15 2 * * *   | Australia/Lord_Howe | shift | 2025-10-04T15:45:00Z | 02:15 does not exist, shifted by 30m
          0 0 * * *    | America/Asuncion    | shift | 2023-10-01T04:00:00Z | 00:00 does not exist, shifted by 1h
          0 9 * * *    | Pacific/Apia        | shift | 2011-12-30T19:00:00Z | also for 09:00, which does not exist
          0 9 30 12 *  | Pacific/Apia        | shift | 2011-12-30T19:00:00Z | 09:00 does not exist, shifted by 24h
          0 2 * * *    | UTC                 | shift | 2025-03-30T02:00:00Z | -
          """)
  void notes_what_a_change_of_the_clocks_did(
      String expression, String zone, String gap, Instant instant, @Nullable String note)
      throws Exception {
    Dst dst = new Dst(gap.equals("skip") ? Dst.Gap.SKIP : Dst.Gap.SHIFT, Dst.Repeat.BOTH);
    Timing timing =
        new Timing(Cron.parse(expression), ZoneId.of(zone), dst, null, null, null, Duration.ZERO);
    assertThat(timing.next(instant.minusNanos(1))).contains(instant);
    assertThat(timing.clockChange(instant).map(ClockChange::text).orElse(null)).isEqualTo(note);
  }
}
