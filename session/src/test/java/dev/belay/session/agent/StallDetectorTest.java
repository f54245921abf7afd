package dev.belay.session.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StallDetectorTest {

  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration TICK = Duration.ofMillis(200);
  private static final long START = Long.MAX_VALUE - 1_000;

  private final StallDetector detector = new StallDetector(LIMIT, START);
  private long now = START;

  @Test
  void silent_process_is_stalled_right_after_its_limit() {
    assertThat(silentUntilStalled()).isBetween(LIMIT, LIMIT.plus(TICK.multipliedBy(2)));
  }

  @Test
  void sign_at_the_limit_starts_the_time_again() {
    for (Duration silent = Duration.ZERO; silent.compareTo(LIMIT) < 0; silent = silent.plus(TICK)) {
      assertThat(look(TICK)).isFalse();
    }
    detector.sign();
    assertThat(silentUntilStalled()).isBetween(LIMIT, LIMIT.plus(TICK.multipliedBy(3)));
  }

  @Test
  void process_that_writes_now_and_then_is_never_stalled() {
    for (int second = 0; second < 100; second++) {
      detector.sign();
      for (int tick = 0; tick < 20; tick++) {
        assertThat(look(TICK)).isFalse();
      }
    }
  }

  @Test
  void time_in_which_the_agent_was_frozen_does_not_count() {
    look(TICK);
    assertThat(look(Duration.ofHours(1))).isFalse();
    assertThat(silentUntilStalled())
        .isGreaterThan(LIMIT.minus(StallDetector.LOOK_MAX).minus(TICK.multipliedBy(2)));
  }

  /** The agent may have read the output before it was frozen, and looked after it. */
  @Test
  void first_look_after_a_freeze_judges_nothing() {
    Duration silent = Duration.ZERO;
    while (silent.plus(TICK).compareTo(LIMIT) < 0) {
      assertThat(look(TICK)).isFalse();
      silent = silent.plus(TICK);
    }
    assertThat(look(Duration.ofMinutes(1))).isFalse();
    detector.sign();
    assertThat(look(TICK)).isFalse();
    assertThat(silentUntilStalled()).isGreaterThanOrEqualTo(LIMIT);
  }

  /** Slow looks make it late, but it is found. */
  @Test
  void stall_is_found_by_an_agent_that_is_always_late() {
    int looks = 0;
    while (!look(Duration.ofSeconds(3))) {
      looks++;
    }
    assertThat(looks).isEqualTo(5);
  }

  private Duration silentUntilStalled() {
    long from = now;
    while (!look(TICK)) {
      assertThat(now - from).isLessThan(Duration.ofMinutes(1).toNanos());
    }
    return Duration.ofNanos(now - from);
  }

  private boolean look(Duration after) {
    now += after.toNanos();
    return detector.isStalled(now);
  }
}
