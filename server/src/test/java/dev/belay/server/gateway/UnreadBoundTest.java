package dev.belay.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnreadBoundTest {

  private final AtomicLong nanos = new AtomicLong();
  private final UnreadBound bound = new UnreadBound(100, Duration.ofSeconds(30), nanos::get);

  @Test
  void one_message_may_be_of_any_size_and_the_next_may_not() {
    assertThat(bound.sends(1_000, true)).isTrue();
    assertThat(bound.sends(1, false)).isFalse();
  }

  @Test
  void what_was_read_does_not_count() {
    assertThat(bound.sends(90, true)).isTrue();
    assertThat(bound.sends(10, false)).isTrue();
    bound.read();
    assertThat(bound.sends(90, false)).isTrue();
    assertThat(bound.sends(90, true)).isTrue();
    assertThat(bound.sends(11, false)).isFalse();
  }

  @Test
  void who_reads_nothing_for_too_long_is_too_slow_however_little_it_is() {
    assertThat(bound.sends(1, true)).isTrue();
    nanos.set(Duration.ofSeconds(30).toNanos());
    assertThat(bound.sends(1, false)).isTrue();
    nanos.set(Duration.ofSeconds(31).toNanos());
    assertThat(bound.sends(1, false)).isFalse();
  }
}
