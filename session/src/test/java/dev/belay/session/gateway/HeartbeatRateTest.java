package dev.belay.session.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeartbeatRateTest {

  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final HeartbeatRate rate = new HeartbeatRate(INTERVAL);
  private long now = Long.MAX_VALUE - 1_000;

  @Test
  void reports_as_often_as_asked_are_allowed_for_ever() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(rate.allows(now)).isTrue();
      now += INTERVAL.toNanos();
    }
  }

  @Test
  void reports_that_waited_for_a_server_that_stood_still_are_allowed() {
    assertThat(allowedAtOnce()).isEqualTo(100);
    now += INTERVAL.multipliedBy(11).toNanos();
    assertThat(allowedAtOnce()).isEqualTo(100);
  }

  @Test
  void reports_that_come_all_the_time_without_a_pause_are_not() {
    int allowed = 0;
    while (rate.allows(now)) {
      now += INTERVAL.dividedBy(20).toNanos();
      allowed++;
    }
    assertThat(allowed).isBetween(100, 200);
  }

  private int allowedAtOnce() {
    int allowed = 0;
    while (rate.allows(now)) {
      allowed++;
    }
    return allowed;
  }
}
