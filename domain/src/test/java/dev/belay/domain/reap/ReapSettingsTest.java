package dev.belay.domain.reap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.reap.ReapSettings.Grace;
import dev.belay.domain.reap.ReapSettings.Liveness;
import dev.belay.domain.reap.ReapSettings.Mass;
import dev.belay.domain.reap.ReapSettings.Waits;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ReapSettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void silence_is_not_shorter_than_absence() {
    refused(() -> new Liveness(MINUTE, SECOND, MINUTE), "agent-silent (PT1S)");
    refused(() -> new Liveness(Duration.ZERO, SECOND, MINUTE), "agent-closed must be positive");
  }

  @Test
  void sum_of_graces_holds_at_least_one() {
    refused(
        () -> new Grace(SECOND, MINUTE, SECOND, SECOND, SECOND, Mass.DEFAULT), "grace-sum (PT1S)");
  }

  @Test
  void mass_is_a_share_of_some_workers() {
    refused(() -> new Mass(0, 5, MINUTE), "0 < share");
    refused(() -> new Mass(1.1, 5, MINUTE), "0 < share");
    refused(() -> new Mass(0.5, 0, MINUTE), "workersMin");
  }

  @Test
  void no_wait_is_negative() {
    refused(
        () -> new Waits(SECOND.negated(), SECOND, SECOND, SECOND, SECOND, SECOND),
        "running must not be negative");
  }

  @Test
  void each_round_ends_something() {
    ReapSettings usual = ReapSettings.DEFAULT;
    refused(
        () ->
            new ReapSettings(
                usual.liveness(), usual.grace(), usual.waits(), usual.lease(), 0, 1, 1),
        "batch");
  }

  @Test
  void lease_is_longer_than_twice_its_margin() {
    refused(() -> new Lease(MINUTE, MINUTE.dividedBy(2)), "a lease (PT1M)");
  }

  private static void refused(ThrowingCallable made, String why) {
    assertThatThrownBy(made).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(why);
  }
}
