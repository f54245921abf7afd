package dev.belay.domain.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.RunLimits.ExpectBy;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class ExpectByTest {

  private final ExpectBy berlin = new ExpectBy(LocalTime.of(6, 0), ZoneId.of("Europe/Berlin"));

  @Test
  void instants_follow_the_clock_of_the_zone() {
    assertThat(berlin.next(Instant.parse("2026-03-27T05:00:00Z")))
        .isEqualTo(Instant.parse("2026-03-28T05:00:00Z"));
    assertThat(berlin.next(Instant.parse("2026-03-28T05:00:00Z")))
        .isEqualTo(Instant.parse("2026-03-29T04:00:00Z"));
    assertThat(berlin.previous(Instant.parse("2026-03-29T04:00:00Z")))
        .isEqualTo(Instant.parse("2026-03-28T05:00:00Z"));
    assertThat(berlin.previous(Instant.parse("2026-03-29T04:00:01Z")))
        .isEqualTo(Instant.parse("2026-03-29T04:00:00Z"));
  }

  @Test
  void time_that_the_clocks_leave_out_is_later_and_one_that_they_repeat_is_the_first() {
    var gap = new ExpectBy(LocalTime.of(2, 30), ZoneId.of("Europe/Berlin"));
    assertThat(gap.next(Instant.parse("2026-03-28T12:00:00Z")))
        .isEqualTo(Instant.parse("2026-03-29T01:30:00Z"));
    assertThat(gap.next(Instant.parse("2026-10-24T12:00:00Z")))
        .isEqualTo(Instant.parse("2026-10-25T00:30:00Z"));
    assertThat(gap.next(Instant.parse("2026-10-25T00:30:00Z")))
        .isEqualTo(Instant.parse("2026-10-26T01:30:00Z"));
  }

  @Test
  void day_that_a_zone_leaves_out_has_no_instant_of_its_own() {
    // Samoa had no 30 December 2011.
    var apia = new ExpectBy(LocalTime.of(6, 0), ZoneId.of("Pacific/Apia"));
    Instant before = Instant.parse("2011-12-29T16:00:00Z");
    Instant next = apia.next(before);
    assertThat(next).isEqualTo(Instant.parse("2011-12-30T16:00:00Z"));
    assertThat(apia.previous(next)).isEqualTo(before);
    assertThat(apia.next(next)).isEqualTo(Instant.parse("2011-12-31T16:00:00Z"));
  }
}
