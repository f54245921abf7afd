package dev.belay.domain.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.TriggerSpec.Window;
import dev.belay.domain.trigger.Windows.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WindowsTest {

  private static final Window DEBOUNCE =
      new Window.Debounce(Duration.ofSeconds(10), Duration.ofSeconds(60));
  private static final Window BATCH = new Window.Batch(3, Duration.ofSeconds(30));

  private static Instant at(long second) {
    return Instant.EPOCH.plusSeconds(second);
  }

  private static Look look(Window window, long now, long... received) {
    List<Instant> times = LongStream.of(received).mapToObj(WindowsTest::at).toList();
    return Windows.look(window, times, at(now));
  }

  @Test
  void debounce_waits_until_it_is_quiet() {
    assertThat(look(DEBOUNCE, 14, 0, 5)).isEqualTo(new Look(0, at(15)));
    assertThat(look(DEBOUNCE, 15, 0, 5)).isEqualTo(Look.over(2));
  }

  @Test
  void debounce_waits_no_longer_than_its_maximum() {
    assertThat(look(DEBOUNCE, 59, 0, 9, 18, 27, 36, 45, 54)).isEqualTo(new Look(0, at(60)));
    assertThat(look(DEBOUNCE, 60, 0, 9, 18, 27, 36, 45, 54)).isEqualTo(Look.over(7));
    assertThat(look(DEBOUNCE, 63, 0, 9, 18, 27, 36, 45, 54, 63)).isEqualTo(Look.over(7));
  }

  /** However late somebody looks, the same events belong together. */
  @Test
  void late_look_finds_the_windows_that_would_have_been() {
    assertThat(look(DEBOUNCE, 1_000, 0, 5, 15, 16)).isEqualTo(Look.over(2));
    assertThat(look(DEBOUNCE, 1_000, 15, 16)).isEqualTo(Look.over(2));
  }

  @Test
  void batch_is_over_when_it_is_full_or_its_oldest_waited_long_enough() {
    assertThat(look(BATCH, 10, 0, 5)).isEqualTo(new Look(0, at(30)));
    assertThat(look(BATCH, 10, 0, 5, 6, 7)).isEqualTo(Look.over(3));
    assertThat(look(BATCH, 30, 0, 5)).isEqualTo(Look.over(2));
  }

  @Test
  void window_is_bounded() {
    List<Instant> many = Collections.nCopies(Windows.EVENTS_MAX, at(0));
    assertThat(Windows.look(DEBOUNCE, many, at(1))).isEqualTo(Look.over(Windows.EVENTS_MAX));
  }

  @Test
  void without_a_window_each_event_is_one() {
    assertThat(look(new Window.None(), 0, 0, 0)).isEqualTo(Look.over(1));
  }
}
