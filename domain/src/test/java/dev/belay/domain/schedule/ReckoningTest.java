package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.belay.domain.schedule.Cron.BadCron;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Compares {@link Timing} with {@link NaiveCron}, which tries every minute or second, for random
 * expressions in zones whose clocks change. {@code -Dbelay.expressions=1000 -Dbelay.years=10} is
 * the proof.
 */
class ReckoningTest {

  private static final List<Dst.Gap> GAPS = List.of(Dst.Gap.values());
  private static final List<Dst.Repeat> REPEATS = List.of(Dst.Repeat.values());

  private static final int EXPRESSIONS = Integer.getInteger("belay.expressions", 60);
  private static final int YEARS = Integer.getInteger("belay.years", 2);
  private static final long SEED = Long.getLong("belay.seed", 14);

  /** With a first day of the time, and a day on which the clocks change. */
  private static final List<Place> PLACES =
      List.of(
          new Place("America/New_York", "2015-01-01", "2025-11-02T03:00:00Z"),
          new Place("Europe/Zurich", "2015-01-01", "2025-03-29T22:00:00Z"),
          new Place("Australia/Lord_Howe", "2015-01-01", "2025-04-05T08:00:00Z"),
          new Place("America/Santiago", "2015-01-01", "2025-09-06T18:00:00Z"),
          // its midnight is left out
          new Place("America/Asuncion", "2014-01-01", "2023-09-30T18:00:00Z"),
          // changed its rules in 2011 and 2014
          new Place("Europe/Moscow", "2010-01-01", "2014-10-25T12:00:00Z"),
          // left out a day
          new Place("Pacific/Apia", "2010-06-01", "2011-12-30T00:00:00Z"),
          new Place("Asia/Pyongyang", "2014-06-01", "2018-05-04T08:00:00Z"));

  private record Place(String zone, String years, String day) {}

  @Test
  void agrees_with_every_minute_of_years() {
    Count count = new Count();
    for (int place = 0; place < PLACES.size(); place++) {
      ZoneId zone = ZoneId.of(PLACES.get(place).zone());
      Instant from = Instant.parse(PLACES.get(place).years() + "T00:00:00Z");
      Instant until = from.plus(Duration.ofDays(YEARS * 365L + YEARS / 4));
      int[] locals = NaiveCron.localTimes(zone.getRules(), 60, from, until);
      RandomCron expressions = new RandomCron(new Random(SEED + place), false);
      for (int each = 0; each < share(place); each++) {
        String expression = expressions.fiveFields();
        Dst dst = dst(each);
        long[] expected =
            new NaiveCron(expression).everyMinute(zone.getRules(), locals, dst, from, until);
        compare(expression, zone, dst, from, until, expected, count);
      }
    }
    System.out.printf(
        Locale.ROOT, "minutes: %d expressions, %d years, %s%n", EXPRESSIONS, YEARS, count);
    assertThat(count.neverFires).isLessThan(EXPRESSIONS / 20 + 1);
  }

  @Test
  void agrees_with_every_second_of_a_day() {
    Count count = new Count();
    for (int place = 0; place < PLACES.size(); place++) {
      ZoneId zone = ZoneId.of(PLACES.get(place).zone());
      Instant from = Instant.parse(PLACES.get(place).day());
      Instant until = from.plus(Duration.ofDays(1));
      int[] locals = NaiveCron.localTimes(zone.getRules(), 1, from, until);
      RandomCron expressions = new RandomCron(new Random(SEED + place), false);
      for (int each = 0; each < share(place); each++) {
        String expression = expressions.sixFields();
        Dst dst = dst(each);
        long[] expected =
            new NaiveCron(expression).everySecond(zone.getRules(), locals, dst, from, until);
        compare(expression, zone, dst, from, until, expected, count);
      }
    }
    System.out.printf(Locale.ROOT, "seconds: %d expressions, a day, %s%n", EXPRESSIONS, count);
  }

  /** How many of the expressions are for this place. */
  private static int share(int place) {
    return EXPRESSIONS / PLACES.size() + (place < EXPRESSIONS % PLACES.size() ? 1 : 0);
  }

  /** All combinations in turn. */
  private static Dst dst(int number) {
    return new Dst(GAPS.get(number % GAPS.size()), REPEATS.get(number / 2 % REPEATS.size()));
  }

  private static void compare(
      String expression,
      ZoneId zone,
      Dst dst,
      Instant from,
      Instant until,
      long[] expected,
      Count count) {
    Cron cron;
    try {
      cron = Cron.parse(expression);
    } catch (BadCron e) {
      assertThat(e).as(expression).hasMessageContaining("never fires");
      assertThat(expected).as(expression).isEmpty();
      count.neverFires++;
      return;
    }
    Timing timing = new Timing(cron, zone, dst, from, until, null, Duration.ZERO);
    Instant last = Instant.EPOCH;
    for (long each : expected) {
      Instant after = last;
      last = timing.next(after).orElse(Instant.MAX);
      if (last.getEpochSecond() != each) {
        fail(
            "\"%s\" in %s with %s: after %s comes %s, not %s",
            expression, zone, dst, after, last, Instant.ofEpochSecond(each));
      }
    }
    assertThat(timing.next(last)).as("%s in %s with %s", expression, zone, dst).isEmpty();
    count.instants += expected.length;
  }

  private static final class Count {
    long instants;
    int neverFires;

    @Override
    public String toString() {
      return instants + " instants, " + neverFires + " never fire";
    }
  }
}
