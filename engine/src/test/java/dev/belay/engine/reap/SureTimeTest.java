package dev.belay.engine.reap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.reap.ReapSettings;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A lease is over for everybody after 65.6 s, so that 66 s are enough. */
class SureTimeTest {

  private static final Epoch FIRST = new Epoch(1);

  private Duration ours = Duration.ZERO;
  private Instant theirs = Instant.parse("2026-01-01T00:00:00Z");
  private final SureTime time = new SureTime(ReapSettings.DEFAULT, () -> ours.toNanos());

  @Test
  void new_leader_is_sure_of_nothing_for_a_lease() {
    time.begin(FIRST);
    pass(65);
    assertThat(time.at(FIRST)).isEqualTo(Instant.EPOCH);
    pass(1);
    assertThat(time.at(FIRST)).isEqualTo(theirs);
    assertThat(time.at(new Epoch(2))).as("what it saw when it led before").isEqualTo(Instant.EPOCH);
    time.begin(new Epoch(2));
    pass(65);
    assertThat(time.at(new Epoch(2))).isEqualTo(Instant.EPOCH);
  }

  @Test
  void step_forward_counts_after_a_lease() {
    calm();
    Instant expected = theirs.plusSeconds(66);
    step(200);
    pass(1);
    assertThat(time.at(FIRST)).isEqualTo(expected.minusSeconds(65));
    pass(65);
    assertThat(time.at(FIRST)).isEqualTo(expected);
    pass(1);
    assertThat(time.at(FIRST)).isEqualTo(theirs);
  }

  /** What was fenced by the earlier time may be over too soon by the later one. */
  @Test
  void step_back_counts_at_once_and_the_way_forth_only_after_a_lease() {
    calm();
    step(-100);
    pass(1);
    assertThat(time.at(FIRST)).isEqualTo(theirs);
    step(100);
    pass(60);
    assertThat(time.at(FIRST)).isEqualTo(theirs.minusSeconds(100));
    pass(7);
    assertThat(time.at(FIRST)).isEqualTo(theirs);
  }

  @Test
  void it_goes_on_between_two_looks_and_follows_a_clock_that_is_slightly_slower() {
    calm();
    ours = ours.plusSeconds(9);
    assertThat(time.at(FIRST)).isEqualTo(theirs.plusSeconds(9));
    theirs = theirs.plusSeconds(8);
    time.look(theirs);
    assertThat(time.at(FIRST)).isEqualTo(theirs);
  }

  private void calm() {
    time.begin(FIRST);
    pass(66);
    assertThat(time.at(FIRST)).isEqualTo(theirs);
  }

  private void step(int seconds) {
    theirs = theirs.plusSeconds(seconds);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      ours = ours.plusSeconds(1);
      theirs = theirs.plusSeconds(1);
      time.look(theirs);
    }
  }
}
