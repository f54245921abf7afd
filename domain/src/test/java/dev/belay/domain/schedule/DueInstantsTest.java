package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.schedule.DueInstants.Decided;
import dev.belay.domain.schedule.DueInstants.Decision;
import dev.belay.domain.schedule.DueInstants.Outcome;
import dev.belay.domain.schedule.DueInstants.Subject;
import dev.belay.domain.schedule.Missed.Policy;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows are text: minutes after noon, the outcome, and its reason or the instant that fires. */
class DueInstantsTest {

  private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
  private static final int ALL = 1_000_000;
  private static final Duration DAY = Duration.ofDays(1);
  private static final int DAY_MINUTES = 24 * 60;

  @Test
  void instant_in_time_fires() {
    for (Policy policy : Policy.values()) {
      assertThat(decided(every(10, policy), at(0))).containsExactly("0 fired");
    }
  }

  @Test
  void nothing_is_decided_before_it_is_due() {
    Decided decided =
        DueInstants.decide(every(10, Policy.FIRE_ALL), NOON, NOON.minusMillis(1), ALL);
    assertThat(decided.decisions()).isEmpty();
    assertThat(decided.next()).isEqualTo(NOON);
    assertThat(decided.nextDue()).isEqualTo(NOON);
  }

  @Test
  void instant_is_missed_only_when_it_is_later_than_missed_after() {
    var subject = every(10, Policy.SKIP);
    assertThat(decided(subject, at(1))).containsExactly("0 fired");
    assertThat(decided(subject, at(1).plusMillis(1))).containsExactly("0 skipped missed");
  }

  @Test
  void skip_leaves_out_what_was_missed_and_fires_what_was_not() {
    assertThat(decided(every(10, Policy.SKIP), at(30)))
        .containsExactly("0 skipped missed", "10 skipped missed", "20 skipped missed", "30 fired");
  }

  @Test
  void fire_once_fires_the_newest_for_all_of_them() {
    assertThat(decided(every(10, Policy.FIRE_ONCE), at(35)))
        .containsExactly("0 coalesced 30", "10 coalesced 30", "20 coalesced 30", "30 fired");
  }

  @Test
  void fire_once_coalesces_into_one_that_is_in_time() {
    assertThat(decided(every(10, Policy.FIRE_ONCE), at(20)))
        .containsExactly("0 coalesced 20", "10 coalesced 20", "20 fired");
  }

  @Test
  void fire_once_fires_each_that_is_in_time() {
    var subject = every(10, new Missed(Policy.FIRE_ONCE, Duration.ofMinutes(15), 100, DAY));
    assertThat(decided(subject, at(30)))
        .containsExactly("0 coalesced 30", "10 coalesced 30", "20 fired", "30 fired");
  }

  @Test
  void fire_all_fires_each() {
    assertThat(decided(every(10, Policy.FIRE_ALL), at(25)))
        .containsExactly("0 fired", "10 fired", "20 fired");
  }

  @Test
  void fire_all_fires_the_newest_up_to_its_maximum() {
    var subject = every(10, new Missed(Policy.FIRE_ALL, Duration.ofMinutes(1), 2, DAY));
    assertThat(decided(subject, at(35)))
        .containsExactly("0 skipped missed", "10 skipped missed", "20 fired", "30 fired");
  }

  @Test
  void instants_beyond_the_age_are_skipped() {
    var age = Duration.ofMinutes(15);
    var all = every(10, new Missed(Policy.FIRE_ALL, Duration.ofMinutes(1), 100, age));
    assertThat(decided(all, at(30)))
        .containsExactly("0 skipped missed", "10 skipped missed", "20 fired", "30 fired");
    var once = every(10, new Missed(Policy.FIRE_ONCE, Duration.ofMinutes(1), 100, age));
    assertThat(decided(once, at(30)))
        .containsExactly("0 skipped missed", "10 skipped missed", "20 coalesced 30", "30 fired");
  }

  @Test
  void nothing_fires_when_all_are_too_old() {
    var once =
        every(10, new Missed(Policy.FIRE_ONCE, Duration.ofSeconds(1), 100, Duration.ofSeconds(2)));
    assertThat(decided(once, at(15))).containsExactly("0 skipped missed", "10 skipped missed");
  }

  @Test
  void backlog_is_decided_in_batches_that_know_the_newest() {
    var subject = every(10, Policy.FIRE_ONCE);
    Decided first = DueInstants.decide(subject, NOON, at(45), 2);
    assertThat(rows(first.decisions())).containsExactly("0 coalesced 40", "10 coalesced 40");
    assertThat(first.next()).isEqualTo(at(20));
    assertThat(first.nextDue()).as("it stays due").isEqualTo(at(20));
    Decided second = DueInstants.decide(subject, at(20), at(45), 3);
    assertThat(rows(second.decisions()))
        .containsExactly("20 coalesced 40", "30 coalesced 40", "40 fired");
    assertThat(second.nextDue()).isEqualTo(at(50));
  }

  @Test
  void backlog_of_fire_all_counts_its_maximum_from_the_newest() {
    var subject = every(10, new Missed(Policy.FIRE_ALL, Duration.ofMinutes(1), 3, DAY));
    assertThat(inBatches(subject, NOON, at(55), 2))
        .containsExactly(
            "0 skipped missed",
            "10 skipped missed",
            "20 skipped missed",
            "30 fired",
            "40 fired",
            "50 fired");
  }

  @Test
  void long_backlog_is_not_walked_through() {
    var timing = timing(Duration.ofSeconds(1), null);
    var subject = new Subject("t", timing, Missed.DEFAULT, null, null, null);
    Decided old = DueInstants.decide(subject, NOON.minus(Duration.ofDays(3650)), NOON, 200);
    assertThat(old.decisions())
        .hasSize(200)
        .allMatch(one -> one.outcome() == Outcome.SKIPPED, "older than missed_age");
    Decided newer = DueInstants.decide(subject, NOON.minus(Duration.ofDays(6)), NOON, 200);
    assertThat(newer.decisions()).hasSize(200).allMatch(one -> NOON.equals(one.into()));
  }

  @Test
  void version_that_ended_decides_up_to_its_end_and_then_has_nothing_left() {
    var subject = ended(every(10, Policy.FIRE_ALL), at(20));
    Decided decided = DueInstants.decide(subject, NOON, at(60), ALL);
    assertThat(rows(decided.decisions())).containsExactly("0 fired", "10 fired", "20 fired");
    assertThat(decided.nextDue()).isNull();
    var once = ended(every(10, Policy.FIRE_ONCE), at(19));
    assertThat(decided(once, at(60))).containsExactly("0 coalesced 10", "10 fired");
    assertThat(inBatches(once, NOON, at(60), 1)).containsExactly("0 coalesced 10", "10 fired");
  }

  @Test
  void last_instant_of_a_timing_leaves_nothing() {
    var once =
        new Timing(new At(NOON), ZoneOffset.UTC, Dst.DEFAULT, null, null, null, Duration.ZERO);
    var subject = new Subject("t", once, Missed.DEFAULT, null, null, null);
    Decided decided = DueInstants.decide(subject, NOON, at(1), ALL);
    assertThat(rows(decided.decisions())).containsExactly("0 fired");
    assertThat(decided.next()).isNull();
    assertThat(decided.nextDue()).isNull();
  }

  @Test
  void paused_trigger_skips_all_and_says_why() {
    assertThat(decided(paused(every(10, Policy.FIRE_ALL), "paused"), at(10)))
        .containsExactly("0 skipped paused", "10 skipped paused");
    assertThat(decided(paused(every(10, Policy.FIRE_ONCE), "trigger_paused"), at(0)))
        .containsExactly("0 skipped trigger_paused");
  }

  /** 2026-03-07 is a Saturday, which begins in Zurich at 23:00 UTC. */
  @Test
  void excluded_day_is_skipped_in_the_zone_of_the_trigger() {
    var weekend =
        new DayCalendar("rest", null, Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY), List.of());
    Instant thursday = Instant.parse("2026-03-05T23:00:00Z");
    var timing =
        new Timing(
            new Every(DAY, thursday),
            ZoneId.of("Europe/Zurich"),
            Dst.DEFAULT,
            null,
            null,
            "rest",
            Duration.ZERO);
    var subject = new Subject("t", timing, missed(Policy.FIRE_ALL), null, weekend, null);
    var decisions =
        DueInstants.decide(subject, thursday, thursday.plus(Duration.ofDays(3)), ALL).decisions();
    assertThat(decisions.stream().map(one -> one.outcome() + " " + one.reason()))
        .containsExactly(
            "FIRED null", "SKIPPED calendar: rest", "SKIPPED calendar: rest", "FIRED null");
  }

  @Test
  void missed_instants_coalesce_into_the_newest_that_is_not_excluded() {
    var subject =
        new Subject("t", timing(DAY, "c"), missed(Policy.FIRE_ONCE), null, days(6, 6, 8, 9), null);
    Instant now = at(4 * DAY_MINUTES + 60);
    var rows = decided(subject, now);
    assertThat(rows)
        .containsExactly(
            "0 coalesced 4320",
            "1440 coalesced 4320",
            "2880 skipped calendar: c",
            "4320 fired",
            "5760 skipped calendar: c");
    assertThat(inBatches(subject, NOON, now, 1)).isEqualTo(rows);
  }

  @Test
  void jitter_delays_an_instant_and_keeps_its_name() {
    var timing = timing(Duration.ofHours(1), null, Duration.ofMinutes(5));
    var subject = new Subject("t", timing, missed(Policy.SKIP), null, null, null);
    Instant due = timing.due("t", NOON);
    assertThat(due).isAfter(NOON).isBefore(at(5));
    assertThat(decided(subject, due.minusMillis(1))).isEmpty();
    Decision fired = DueInstants.decide(subject, NOON, due, ALL).decisions().getFirst();
    assertThat(fired.at()).isEqualTo(NOON);
    assertThat(fired.due()).isEqualTo(due);
    assertThat(decided(subject, due.plusSeconds(60)))
        .as("late is counted from when it was due")
        .containsExactly("0 fired");
    assertThat(decided(subject, due.plusSeconds(61))).containsExactly("0 skipped missed");
  }

  /** A later instant may be due before an earlier one, which it waits for. */
  @Test
  void jitter_longer_than_the_period_keeps_the_order() {
    var timing = timing(Duration.ofSeconds(10), null, Duration.ofMinutes(20));
    Instant now = NOON.plus(Duration.ofHours(2));
    for (Policy policy : Policy.values()) {
      var subject = new Subject("t", timing, missed(policy), null, null, null);
      var whole = decided(subject, now);
      for (int max : List.of(1, 7, 100)) {
        assertThat(inBatches(subject, NOON, now, max)).as("batches of " + max).isEqualTo(whole);
      }
    }
  }

  @Test
  void resumed_trigger_decides_what_it_skipped_by_its_policy() {
    var skipped = List.of(at(0), at(10), at(20));
    assertThat(replayed(every(10, Policy.SKIP), skipped, at(25))).isEmpty();
    assertThat(replayed(every(10, Policy.FIRE_ONCE), skipped, at(25)))
        .containsExactly("0 coalesced 20", "10 coalesced 20", "20 fired");
    assertThat(replayed(every(10, Policy.FIRE_ALL), skipped, at(25)))
        .containsExactly("0 fired", "10 fired", "20 fired");
    var two = every(10, new Missed(Policy.FIRE_ALL, Duration.ofMinutes(1), 2, DAY));
    assertThat(replayed(two, skipped, at(25))).containsExactly("10 fired", "20 fired");
    var young =
        every(10, new Missed(Policy.FIRE_ONCE, Duration.ofMinutes(1), 9, Duration.ofMinutes(16)));
    assertThat(replayed(young, skipped, at(25))).containsExactly("10 coalesced 20", "20 fired");
    assertThat(replayed(every(10, Policy.FIRE_ALL), List.of(), at(25))).isEmpty();
  }

  @Test
  void replay_leaves_excluded_days_as_they_are() {
    var subject =
        new Subject("t", timing(DAY, "c"), missed(Policy.FIRE_ONCE), null, days(5, 5), null);
    var skipped = List.of(at(0), at(DAY_MINUTES), at(2 * DAY_MINUTES));
    assertThat(replayed(subject, skipped, at(2 * DAY_MINUTES + 5)))
        .containsExactly("0 coalesced 2880", "2880 fired");
  }

  @Test
  void each_instant_of_any_trigger_is_decided_once_and_the_cursor_only_moves_forward() {
    var random = new SplittableRandom(7);
    for (int i = 0; i < 400; i++) {
      Subject subject = random(random);
      Instant first = subject.timing().next(NOON).orElseThrow();
      Instant now = NOON;
      Instant cursor = first;
      var decided = new ArrayList<Instant>();
      for (int step = 0; step < 12 && cursor != null; step++) {
        now = now.plusSeconds(random.nextLong(-1_800, 5_400)); // a clock steps back, too
        Decided one = DueInstants.decide(subject, cursor, now, random.nextInt(1, 40));
        one.decisions().forEach(decision -> decided.add(decision.at()));
        assertThat(one.next() == null || !one.next().isBefore(cursor)).isTrue();
        checkRows(one.decisions(), now);
        cursor = one.next();
      }
      assertThat(decided).as("%s", subject).isEqualTo(between(subject, first, cursor));
    }
  }

  private static void checkRows(List<Decision> decisions, Instant now) {
    for (Decision one : decisions) {
      assertThat(one.due()).isBeforeOrEqualTo(now);
      assertThat(one.outcome() == Outcome.SKIPPED).isEqualTo(one.reason() != null);
      assertThat(one.outcome() == Outcome.COALESCED).isEqualTo(one.into() != null);
      assertThat(one.into() == null || one.into().isAfter(one.at())).isTrue();
    }
  }

  @Test
  void batches_of_any_size_give_the_same_rows() {
    var random = new SplittableRandom(8);
    for (int i = 0; i < 400; i++) {
      Subject subject = random(random);
      Instant now = NOON.plusSeconds(random.nextLong(20_000));
      Instant first = subject.timing().next(NOON).orElseThrow();
      int max = random.nextInt(1, 30);
      assertThat(inBatches(subject, first, now, max))
          .as("in batches of %d at %s: %s", max, now, subject)
          .isEqualTo(rows(DueInstants.decide(subject, first, now, ALL).decisions()));
    }
  }

  @Test
  void coalesced_instants_name_one_that_fires() {
    var random = new SplittableRandom(9);
    for (int i = 0; i < 500; i++) {
      Subject subject = random(random);
      Instant now = NOON.plusSeconds(random.nextLong(20_000));
      Instant first = subject.timing().next(NOON).orElseThrow();
      Map<Instant, Outcome> fates = new HashMap<>();
      var decisions = DueInstants.decide(subject, first, now, ALL).decisions();
      decisions.forEach(one -> fates.put(one.at(), one.outcome()));
      assertThat(decisions)
          .as("%s", subject)
          .allMatch(one -> one.into() == null || fates.get(one.into()) == Outcome.FIRED);
    }
  }

  private static Subject random(SplittableRandom random) {
    var calendar = random.nextInt(4) > 0 ? null : days(5, 5);
    var timing =
        new Timing(
            new Every(
                Duration.ofSeconds(random.nextLong(1, 900)),
                NOON.plusSeconds(random.nextLong(900))),
            ZoneOffset.ofHours(random.nextInt(-9, 12)),
            Dst.DEFAULT,
            null,
            random.nextInt(5) > 0 ? null : NOON.plusSeconds(random.nextLong(1_000, 9_000)),
            calendar == null ? null : calendar.name(),
            random.nextInt(3) > 0 ? Duration.ZERO : Duration.ofSeconds(random.nextLong(1, 1_200)));
    var missed =
        new Missed(
            List.of(Policy.values()).get(random.nextInt(3)),
            Duration.ofSeconds(random.nextLong(1, 300)),
            random.nextInt(1, 20),
            Duration.ofSeconds(random.nextLong(10, 20_000)));
    return new Subject(
        "t" + random.nextInt(9),
        timing,
        missed,
        random.nextInt(3) > 0 ? null : NOON.plusSeconds(random.nextLong(10_000)),
        calendar,
        random.nextInt(8) > 0 ? null : "paused");
  }

  /** The instants of the trigger before the cursor. */
  private static List<Instant> between(Subject subject, Instant first, @Nullable Instant cursor) {
    var all = new ArrayList<Instant>();
    Instant at = first;
    while (at != null && !at.equals(cursor) && isBeforeEnd(subject, at)) {
      all.add(at);
      at = subject.timing().next(at).orElse(null);
    }
    return all;
  }

  private static boolean isBeforeEnd(Subject subject, Instant at) {
    return subject.until() == null || !at.isAfter(subject.until());
  }

  private static List<String> inBatches(Subject subject, Instant next, Instant now, int max) {
    var rows = new ArrayList<String>();
    Decided decided = DueInstants.decide(subject, next, now, max);
    while (!decided.decisions().isEmpty()) {
      rows.addAll(rows(decided.decisions()));
      Instant cursor = decided.next();
      if (cursor == null) {
        break;
      }
      decided = DueInstants.decide(subject, cursor, now, max);
    }
    return rows;
  }

  private static List<String> decided(Subject subject, Instant now) {
    return rows(DueInstants.decide(subject, NOON, now, ALL).decisions());
  }

  private static List<String> replayed(Subject subject, List<Instant> skipped, Instant now) {
    return rows(DueInstants.replay(subject, skipped, now));
  }

  private static List<String> rows(List<Decision> decisions) {
    return decisions.stream()
        .map(
            one ->
                switch (one.outcome()) {
                  case FIRED -> minute(one.at()) + " fired";
                  case SKIPPED -> minute(one.at()) + " skipped " + one.reason();
                  case COALESCED -> minute(one.at()) + " coalesced " + minute(one.into());
                })
        .toList();
  }

  private static String minute(@Nullable Instant at) {
    if (at == null) {
      return "-";
    }
    long seconds = NOON.until(at, ChronoUnit.SECONDS);
    return seconds % 60 == 0 ? Long.toString(seconds / 60) : seconds + "s";
  }

  private static Instant at(int minute) {
    return NOON.plus(Duration.ofMinutes(minute));
  }

  private static Missed missed(Policy policy) {
    return new Missed(policy, Duration.ofMinutes(1), 100, Duration.ofDays(7));
  }

  private static Subject every(int minutes, Policy policy) {
    return every(minutes, missed(policy));
  }

  private static Subject every(int minutes, Missed missed) {
    return new Subject("t", timing(Duration.ofMinutes(minutes), null), missed, null, null, null);
  }

  private static Subject ended(Subject subject, Instant until) {
    return new Subject(
        subject.seed(), subject.timing(), subject.missed(), until, subject.calendar(), null);
  }

  private static Subject paused(Subject subject, String why) {
    return new Subject(
        subject.seed(), subject.timing(), subject.missed(), null, subject.calendar(), why);
  }

  private static Timing timing(Duration period, @Nullable String calendar) {
    return timing(period, calendar, Duration.ZERO);
  }

  private static Timing timing(Duration period, @Nullable String calendar, Duration jitter) {
    return new Timing(
        new Every(period, NOON), ZoneOffset.UTC, Dst.DEFAULT, null, null, calendar, jitter);
  }

  /** A calendar that excludes ranges of days of March 2026, from one to the next number. */
  private static DayCalendar days(int... days) {
    var ranges = new ArrayList<DayCalendar.Range>();
    for (int i = 0; i < days.length; i += 2) {
      ranges.add(
          new DayCalendar.Range(
              LocalDate.of(2026, 3, days[i]), LocalDate.of(2026, 3, days[i + 1])));
    }
    return new DayCalendar("c", null, Set.of(), ranges);
  }
}
