package dev.belay.domain.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementBackoffTest {

  private static final Instant SINCE = Instant.parse("2026-03-01T12:00:00Z");
  private static final PlacementBackoff STEADY =
      new PlacementBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ZERO, 50);

  @Test
  void the_delay_doubles_from_one_second_to_thirty() {
    assertThat(STEADY.tries(SINCE, SINCE.minusSeconds(1), 0)).isEqualTo(1);
    assertThat(STEADY.tries(SINCE, SINCE, 0)).isEqualTo(1);
    assertThat(STEADY.tries(SINCE, SINCE.plusMillis(999), 0)).isEqualTo(1);
    assertThat(STEADY.tries(SINCE, SINCE.plusSeconds(1), 0)).isEqualTo(2);
    assertThat(STEADY.tries(SINCE, SINCE.plusSeconds(1 + 2), 0)).isEqualTo(3);
    assertThat(STEADY.tries(SINCE, SINCE.plusSeconds(1 + 2 + 4 + 8 + 16), 0)).isEqualTo(6);
    assertThat(STEADY.tries(SINCE, SINCE.plusSeconds(31 + 29), 0)).isEqualTo(6);
    assertThat(STEADY.tries(SINCE, SINCE.plusSeconds(31 + 30), 0)).isEqualTo(7);
  }

  @Test
  void the_fiftieth_try_gives_up() {
    Instant last = SINCE.plusSeconds(31 + 44 * 30);
    assertThat(STEADY.givenUpAt(SINCE, 0)).isEqualTo(last);
    assertThat(STEADY.tries(SINCE, last.minusMillis(1), 0)).isEqualTo(49);
    assertThat(STEADY.tries(SINCE, last, 0)).isEqualTo(50);
    assertThat(STEADY.tries(SINCE, last.plusSeconds(1_000), 0)).isEqualTo(50);
  }

  @Test
  void jitter_adds_up_to_half_a_second_to_each_delay_and_follows_from_the_seed() {
    Set<Instant> ends = new HashSet<>();
    for (long seed = 0; seed < 100; seed++) {
      Instant end = PlacementBackoff.DEFAULT.givenUpAt(SINCE, seed);
      ends.add(end);
      assertThat(end)
          .isBetween(STEADY.givenUpAt(SINCE, 0), STEADY.givenUpAt(SINCE, 0).plusMillis(49 * 500));
      assertThat(PlacementBackoff.DEFAULT.givenUpAt(SINCE, seed)).isEqualTo(end);
      assertThat(PlacementBackoff.DEFAULT.tries(SINCE, end, seed)).isEqualTo(50);
      assertThat(PlacementBackoff.DEFAULT.tries(SINCE, end.minusMillis(1), seed)).isEqualTo(49);
    }
    assertThat(ends).hasSizeGreaterThan(90);
  }

  @Test
  void settings_are_checked() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new PlacementBackoff(Duration.ZERO, second, second, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PlacementBackoff(second, Duration.ofMillis(1), second, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PlacementBackoff(second, second, second, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new PlacementBackoff(second, second, second, 1).givenUpAt(SINCE, 1))
        .isEqualTo(SINCE);
  }
}
