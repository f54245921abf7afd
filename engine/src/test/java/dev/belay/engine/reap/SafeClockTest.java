package dev.belay.engine.reap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.reap.ReapSettings;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease is over on every side after 65.6 s; a gap of more than 10 s is an outage. */
class SafeClockTest {

  private Duration ours = Duration.ofHours(1);
  private Instant theirs = Instant.parse("2026-01-01T00:00:00Z");
  private final SafeClock time = new SafeClock(ReapSettings.DEFAULT, () -> ours.toNanos());

  @BeforeEach
  void nothing_is_sure_for_the_first_lease() {
    assertThat(time.now()).isEqualTo(Instant.EPOCH);
    pass(66);
    assertThat(time.now()).isEqualTo(Instant.EPOCH);
    pass(1);
    assertThat(time.now()).isEqualTo(theirs);
  }

  @Test
  void step_forward_counts_when_all_that_was_fenced_before_it_is_over() {
    step(200);
    pass(66);
    assertThat(time.now()).isEqualTo(theirs.minusSeconds(200));
    pass(20);
    assertThat(time.now()).isEqualTo(theirs);
  }

  @Test
  void small_steps_add_up_to_nothing() {
    for (int i = 0; i < 12; i++) {
      step(4);
      pass(5);
      assertThat(time.now()).isEqualTo(theirs.minusSeconds(4L * (i + 1)));
    }
  }

  /** A lease that was written at the earlier time would end too soon by the later one. */
  @Test
  void step_back_counts_at_once_and_the_way_forth_only_after_a_lease() {
    step(-100);
    pass(1);
    assertThat(time.now()).isEqualTo(theirs);
    step(100);
    pass(66);
    assertThat(time.now()).isEqualTo(theirs.minusSeconds(100));
    pass(20);
    assertThat(time.now()).isEqualTo(theirs);
  }

  @Test
  void slow_answer_delays_by_no_more_than_it_took() {
    ours = ours.plusSeconds(9);
    Instant read = theirs;
    theirs = theirs.plusSeconds(9);
    time.look(read);
    for (int i = 0; i < 60; i++) {
      pass(1);
      assertThat(time.now()).isEqualTo(theirs.minusSeconds(9));
    }
  }

  @Test
  void clock_that_nobody_looked_at_may_have_been_set_and_set_back() {
    ours = ours.plusSeconds(10);
    theirs = theirs.plusSeconds(10);
    assertThat(time.now()).as("it goes on between two looks").isEqualTo(theirs);
    ours = ours.plusSeconds(1);
    theirs = theirs.plusSeconds(1);
    assertThat(time.now()).isEqualTo(Instant.EPOCH);
    pass(66);
    assertThat(time.now()).isEqualTo(Instant.EPOCH);
    pass(1);
    assertThat(time.now()).isEqualTo(theirs);
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
