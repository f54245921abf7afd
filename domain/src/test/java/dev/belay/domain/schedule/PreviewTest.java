package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PreviewTest {

  private static final Instant SPRING = Instant.parse("2025-03-29T00:00:00Z");
  private static final Dst SKIP = new Dst(Dst.Gap.SKIP, Dst.Repeat.FIRST);

  private static Timing zurich(String expression, Dst dst) throws Exception {
    return new Timing(
        Cron.parse(expression), ZoneId.of("Europe/Zurich"), dst, null, null, null, Duration.ZERO);
  }

  private static List<String> lines(Timing timing, @Nullable DayCalendar calendar) {
    return Preview.of(timing, calendar, SPRING, 3).lines().stream()
        .map(
            line ->
                switch (line) {
                  case Preview.Line.Fires fires ->
                      "%s %s %s"
                          .formatted(
                              fires.local(),
                              fires.change() == null ? "-" : fires.change().text(),
                              fires.calendar() == null ? "-" : fires.calendar());
                  case Preview.Line.Skips skips ->
                      "%s skipped %d".formatted(skips.local(), skips.count());
                })
        .toList();
  }

  @Test
  void shows_shifted_times() throws Exception {
    assertThat(lines(zurich("30 2 * * *", Dst.DEFAULT), null))
        .containsExactly(
            "2025-03-29T02:30+01:00 - -",
            "2025-03-30T03:30+02:00 02:30 does not exist, shifted by 1h -",
            "2025-03-31T02:30+02:00 - -");
  }

  @Test
  void shows_skipped_times() throws Exception {
    assertThat(lines(zurich("30 2 * * *", SKIP), null))
        .containsExactly(
            "2025-03-29T02:30+01:00 - -",
            "2025-03-30T02:30 skipped 1",
            "2025-03-31T02:30+02:00 - -",
            "2025-04-01T02:30+02:00 - -");
    assertThat(lines(zurich("*/15 2 30 3 *", SKIP), null))
        .containsExactly(
            "2025-03-30T02:00 skipped 4",
            "2026-03-30T02:00+02:00 - -",
            "2026-03-30T02:15+02:00 - -",
            "2026-03-30T02:30+02:00 - -");
  }

  @Test
  void real_time_skips_nothing() throws Exception {
    assertThat(lines(zurich("30 0/2 30 * *", SKIP), null))
        .containsExactly(
            "2025-03-30T00:30+01:00 - -",
            "2025-03-30T04:30+02:00 - -",
            "2025-03-30T06:30+02:00 - -");
  }

  @Test
  void names_the_calendar_that_leaves_an_instant_out() throws Exception {
    var dates =
        List.of(
            new DayCalendar.Range(LocalDate.parse("2025-03-31"), LocalDate.parse("2025-04-02")));
    var calendar = new DayCalendar("holidays", null, Set.of(DayOfWeek.SUNDAY), dates);
    assertThat(lines(zurich("0 9 * * *", Dst.DEFAULT), calendar))
        .containsExactly(
            "2025-03-29T09:00+01:00 - -",
            "2025-03-30T09:00+02:00 - holidays",
            "2025-03-31T09:00+02:00 - holidays");
  }

  @Test
  void is_shorter_when_there_are_no_more_instants() {
    Timing once =
        new Timing(
            new At(SPRING.plusSeconds(60)),
            ZoneId.of("Europe/Zurich"),
            Dst.DEFAULT,
            null,
            null,
            null,
            Duration.ZERO);
    assertThat(lines(once, null)).containsExactly("2025-03-29T01:01+01:00 - -");
  }
}
