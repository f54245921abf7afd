package dev.belay.domain.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.backfill.BackfillInstants.Count;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Recurrence;
import dev.belay.domain.schedule.Timing;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackfillInstantsTest {

  private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");
  private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

  private static Timing timing(Recurrence recurrence, ZoneId zone) {
    return new Timing(recurrence, zone, Dst.DEFAULT, null, null, null, Duration.ZERO);
  }

  private static Cron cron(String text) {
    try {
      return Cron.parse(text);
    } catch (Cron.BadCron bad) {
      throw new AssertionError(bad);
    }
  }

  private static BackfillInstants days(int days, boolean forward, @Nullable DayCalendar calendar) {
    return new BackfillInstants(
        timing(cron("0 0 * * *"), ZoneId.of("UTC")),
        calendar,
        NEW_YEAR,
        NEW_YEAR.plus(Duration.ofDays(days)),
        forward);
  }

  /** Batch by batch, as a backfill does. */
  private static List<Instant> all(BackfillInstants instants, int batch) {
    var all = new ArrayList<Instant>();
    Instant next = instants.first().orElse(null);
    while (next != null) {
      var taken = instants.take(next, batch + 1);
      boolean more = taken.size() > batch;
      all.addAll(more ? taken.subList(0, batch) : taken);
      next = more ? taken.getLast() : null;
    }
    return all;
  }

  @Test
  void range_has_its_begin_and_not_its_end() {
    assertThat(all(days(3, true, null), 10))
        .containsExactly(
            NEW_YEAR, Instant.parse("2026-01-02T00:00:00Z"), Instant.parse("2026-01-03T00:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1_000})
  void back_is_forward_reversed_in_batches_of_any_size(int batch) {
    assertThat(all(days(400, false, null), batch))
        .hasSize(400)
        .isEqualTo(all(days(400, true, null), 50).reversed());
  }

  @ParameterizedTest
  @ValueSource(strings = {"* * * * * *", "*/7 * * * *", "0 3 29 2 *", "30 2 * * *"})
  void back_finds_dense_and_rare_instants(String text) {
    var timing = timing(cron(text), ZURICH);
    Instant from = text.startsWith("* *") ? Instant.parse("2026-03-28T23:30:00Z") : NEW_YEAR;
    Instant to =
        text.startsWith("0 3")
            ? Instant.parse("2060-01-01T00:00:00Z")
            : Instant.parse("2026-03-29T02:30:00Z");
    var forward = all(new BackfillInstants(timing, null, from, to, true), 300);
    assertThat(forward).isNotEmpty();
    assertThat(all(new BackfillInstants(timing, null, from, to, false), 300))
        .isEqualTo(forward.reversed());
  }

  @Test
  void days_of_the_calendar_are_left_out() {
    var weekend =
        new DayCalendar("weekend", null, Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY), List.of());
    var instants = days(7, true, weekend);
    assertThat(all(instants, 2)).hasSize(5);
    assertThat(all(days(7, false, weekend), 2)).isEqualTo(all(instants, 2).reversed());
    assertThat(instants.count(7)).isEqualTo(new Count(5, false));
  }

  @Test
  void count_stops_at_its_bound() {
    var decades =
        new BackfillInstants(
            timing(new Every(Duration.ofSeconds(1), Every.ANCHOR_DEFAULT), ZURICH),
            null,
            NEW_YEAR.minus(Duration.ofDays(20_000)),
            NEW_YEAR,
            true);
    assertThat(decades.count(1_000)).isEqualTo(new Count(1_000, true));
  }

  @Test
  void empty_range_has_no_first() {
    var hour =
        new BackfillInstants(
            timing(cron("0 0 1 1 *"), ZURICH),
            null,
            NEW_YEAR,
            NEW_YEAR.plus(Duration.ofHours(1)),
            false);
    assertThat(hour.first()).isEmpty();
    assertThat(hour.count(10)).isEqualTo(new Count(0, false));
  }
}
