package dev.belay.domain.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.trust.SetAside.Others;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SetAsideTest {

  private static final TrustSettings SETTINGS =
      new TrustSettings(10, Duration.ofSeconds(5), Duration.ofMinutes(1));
  private static final long SECOND = 1_000_000_000L;

  private final FailureStreak streak = new FailureStreak(SETTINGS);

  @Test
  void worker_that_fails_everything_among_good_ones_is_set_aside() {
    assertThat(SetAside.isDue(10, new Others(9, 0, 0), SETTINGS)).isTrue();
    assertThat(SetAside.isDue(9, new Others(9, 0, 0), SETTINGS)).as("too few").isFalse();
  }

  @Test
  void tasks_that_fail_on_most_workers_set_nobody_aside() {
    assertThat(SetAside.isDue(20, new Others(4, 5, 0), SETTINGS)).isFalse();
    assertThat(SetAside.isDue(20, new Others(5, 5, 0), SETTINGS)).isTrue();
  }

  @Test
  void the_last_worker_of_its_pools_stays() {
    assertThat(SetAside.isDue(20, new Others(0, 0, 0), SETTINGS)).isFalse();
    assertThat(SetAside.isDue(20, new Others(0, 0, 1), SETTINGS)).isFalse();
  }

  @Test
  void no_more_than_a_quarter_of_the_workers_goes_but_one_may() {
    assertThat(SetAside.isDue(20, new Others(1, 0, 0), SETTINGS)).isTrue();
    assertThat(SetAside.isDue(20, new Others(1, 0, 1), SETTINGS)).isFalse();
    assertThat(SetAside.isDue(20, new Others(6, 0, 1), SETTINGS)).isTrue();
    assertThat(SetAside.isDue(20, new Others(5, 0, 2), SETTINGS)).isFalse();
  }

  @Test
  void zero_failures_turn_it_off() {
    var off = new TrustSettings(0, Duration.ofSeconds(5), Duration.ofMinutes(1));
    assertThat(SetAside.isDue(20, new Others(9, 0, 0), off)).isFalse();
  }

  @Test
  void only_fast_failures_of_different_tasks_in_a_row_count() {
    for (int i = 0; i < 3; i++) {
      streak.failed(task(1), Duration.ofMillis(10), 0);
      streak.failed(task(2 + i), Duration.ofSeconds(5), 0);
    }
    assertThat(streak.length(0)).isEqualTo(1);
    streak.failed(task(9), Duration.ZERO, 0);
    assertThat(streak.length(0)).isEqualTo(2);
    streak.succeeded();
    assertThat(streak.length(0)).isZero();
  }

  @Test
  void old_failures_do_not_count_and_no_more_are_kept_than_are_needed() {
    for (int i = 0; i < 1_000; i++) {
      streak.failed(task(i), Duration.ZERO, i < 990 ? 0 : 30 * SECOND);
    }
    assertThat(streak.length(30 * SECOND)).isEqualTo(20);
    assertThat(streak.length(61 * SECOND)).isEqualTo(10);
    assertThat(streak.length(91 * SECOND)).isZero();
  }

  private static TaskId task(long number) {
    return new TaskId(new UUID(1, number));
  }
}
