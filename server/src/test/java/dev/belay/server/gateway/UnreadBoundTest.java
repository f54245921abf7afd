package dev.belay.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnreadBoundTest {

  private final AtomicLong nanos = new AtomicLong();
  private final UnreadBound bound = new UnreadBound(100, Duration.ofSeconds(30), nanos::get);

  @Test
  void burst_for_a_worker_that_reads_is_no_fault_of_it() {
    bound.sends(90);
    bound.sends(90);
    assertThat(bound.isTooMuch()).as("both wait for the network").isFalse();
    bound.written(90, true);
    bound.written(90, true);
    after(40);
    assertThat(bound.isTooMuch()).isFalse();
  }

  @Test
  void burst_that_is_not_read_is_too_much_after_a_while() {
    bound.sends(90);
    bound.sends(90);
    bound.written(90, false);
    bound.written(90, false);
    after(5);
    assertThat(bound.isTooMuch()).isFalse();
    after(6);
    assertThat(bound.isTooMuch()).isTrue();
    bound.ready();
    assertThat(bound.isTooMuch()).isFalse();
  }

  @Test
  void twice_as_much_as_may_wait_is_too_much_at_once() {
    bound.sends(100);
    bound.sends(100);
    assertThat(bound.isTooMuch()).isFalse();
    bound.sends(2);
    assertThat(bound.isTooMuch()).isTrue();
  }

  @Test
  void who_reads_nothing_for_too_long_is_too_slow_however_little_it_is() {
    bound.sends(1);
    bound.written(1, false);
    after(30);
    assertThat(bound.isTooMuch()).isFalse();
    after(31);
    assertThat(bound.isTooMuch()).isTrue();
  }

  private void after(int seconds) {
    nanos.set(Duration.ofSeconds(seconds).toNanos());
  }
}
