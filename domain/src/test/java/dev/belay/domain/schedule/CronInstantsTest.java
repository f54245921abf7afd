package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@link CronInstants} relies on, and its answers, in all zones that the JDK knows. */
class CronInstantsTest {

  private static final Instant FIRST = Instant.parse("1970-01-10T00:00:00Z");
  private static final Instant LAST = Instant.parse("2199-01-01T00:00:00Z");

  /** The proof tries all changes of the clocks, each build one in twenty. */
  private static final int EACH = Integer.getInteger("belay.expressions", 60) >= 1000 ? 1 : 20;

  private static List<ZoneRules> allRules() {
    return new HashSet<>(ZoneId.getAvailableZoneIds())
        .stream().sorted().map(name -> ZoneId.of(name).getRules()).distinct().toList();
  }

  private static List<ZoneOffsetTransition> changes(ZoneRules rules, Instant until) {
    List<ZoneOffsetTransition> changes = new ArrayList<>();
    ZoneOffsetTransition change = rules.nextTransition(FIRST);
    while (change != null && change.getInstant().isBefore(until)) {
      changes.add(change);
      change = rules.nextTransition(change.getInstant());
    }
    return changes;
  }

  @Test
  void no_segment_is_shorter_than_the_changes_at_its_ends() {
    for (ZoneRules rules : allRules()) {
      ZoneOffsetTransition last = null;
      for (ZoneOffsetTransition change : changes(rules, LAST)) {
        assertThat(change.getDuration().abs()).isLessThanOrEqualTo(Duration.ofDays(1));
        if (last != null) {
          Duration segment = Duration.between(last.getInstant(), change.getInstant());
          Duration moved = last.getDuration().abs().plus(change.getDuration().abs());
          assertThat(segment).as("%s to %s", last, change).isGreaterThan(moved);
        }
        last = change;
      }
    }
  }

  @Test
  void agrees_with_every_minute_around_changes_of_all_zones() throws Exception {
    int tried = 0;
    int number = 0;
    String expression = "7,23,38,52 0,1,2,4,5,7,9,12,13,16,20,22,23 * * *";
    Cron cron = Cron.parse(expression);
    List<Dst.Gap> gaps = List.of(Dst.Gap.values());
    List<Dst.Repeat> repeats = List.of(Dst.Repeat.values());
    for (ZoneRules rules : allRules()) {
      for (ZoneOffsetTransition change : changes(rules, Instant.parse("2040-01-01T00:00:00Z"))) {
        if (number++ % EACH != 0) {
          continue;
        }
        Dst dst = new Dst(gaps.get(tried % 2), repeats.get(tried / 2 % 3));
        Instant from = change.getInstant().minus(Duration.ofHours(25));
        Instant until = change.getInstant().plus(Duration.ofHours(25));
        long[] expected =
            new NaiveCron(expression).everyMinute(rules, new int[0], dst, from, until);
        CronInstants instants = new CronInstants(cron, rules, dst);
        long next = from.getEpochSecond() - 1;
        for (long each : expected) {
          next = instants.next(next + 1, until.getEpochSecond());
          assertThat(next).as("%s with %s", change, dst).isEqualTo(each);
        }
        next = instants.next(next + 1, until.getEpochSecond());
        assertThat(next).as("%s with %s", change, dst).isEqualTo(until.getEpochSecond());
        tried++;
      }
    }
    System.out.printf("changes: %d of all zones%n", tried);
    assertThat(tried).isGreaterThan(500);
  }

  @Test
  void search_in_vain_ends() throws Exception {
    // The second Sunday of March is the day on which the clocks go forward.
    Cron cron = Cron.parse("30 2 * 3 SUN#2");
    ZoneId zone = ZoneId.of("America/New_York");
    Dst skip = new Dst(Dst.Gap.SKIP, Dst.Repeat.FIRST);
    Timing timing = new Timing(cron, zone, skip, null, null, null, Duration.ZERO);
    assertThat(timing.next(Instant.parse("2007-01-01T00:00:00Z"))).isEqualTo(Optional.empty());
    assertThat(timing.next(Instant.parse("2006-01-01T00:00:00Z")))
        .contains(Instant.parse("2006-03-12T07:30:00Z"));
  }
}
