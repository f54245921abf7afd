package dev.belay.engine.reap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PulseTest {

  private long seconds;
  private final DatabaseUptime pulse =
      new DatabaseUptime(Duration.ofSeconds(10), () -> Duration.ofSeconds(seconds).toNanos());

  @Test
  void is_steady_from_the_start_and_over_short_gaps() {
    assertThat(pulse.steadyFor()).isGreaterThan(Duration.ofHours(1));
    beatAfter(10);
    assertThat(pulse.steadyFor()).isGreaterThan(Duration.ofHours(1));
  }

  @Test
  void gap_is_seen_while_it_lasts_and_counts_from_its_end() {
    seconds = 11;
    assertThat(pulse.steadyFor()).isZero();
    seconds = 60;
    pulse.beat();
    assertThat(pulse.steadyFor()).isZero();
    beatAfter(5);
    assertThat(pulse.steadyFor()).isEqualTo(Duration.ofSeconds(5));
  }

  private void beatAfter(int more) {
    seconds += more;
    pulse.beat();
  }
}
