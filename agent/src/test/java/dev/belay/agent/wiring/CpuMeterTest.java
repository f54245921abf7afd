package dev.belay.agent.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.agent.wiring.CpuMeter.Sample;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CpuMeterTest {

  private static final long SECOND = 1_000_000_000L;

  private @Nullable Sample sample = new Sample(0, 0, 0);
  private final CpuMeter meter = new CpuMeter(() -> Optional.ofNullable(sample));

  @Test
  void load_is_the_mean_of_about_ten_seconds() {
    assertThat(meter.percent()).as("one reading tells nothing").isEmpty();
    assertThat(after(2, 100)).isEqualTo(100);
    assertThat(after(2, 0)).isEqualTo(50);
    for (int i = 0; i < 3; i++) {
      after(2, 0);
    }
    assertThat(after(2, 0)).as("the busy time is over for ten seconds").isZero();
  }

  @Test
  void counters_that_cannot_be_read_make_it_unknown_until_two_readings_later() {
    meter.percent();
    assertThat(after(2, 30)).isEqualTo(30);
    var before = sample;
    sample = null;
    assertThat(meter.percent()).isEmpty();
    sample = before;
    assertThat(meter.percent()).isEmpty();
    assertThat(after(2, 80)).isEqualTo(80);
  }

  @Test
  void counters_of_the_kernel_are_understood() {
    assertThat(CpuCounters.machine("cpu  100 20 30 400 50 6 7 8 9 9\ncpu0 1 2\n", 5))
        .contains(new Sample(100 + 20 + 30 + 6 + 7 + 8, 621, 5));
    assertThat(CpuCounters.machine("intr 1 2 3\n", 5)).isEmpty();
    assertThat(CpuCounters.machine("", 5)).isEmpty();
    assertThat(CpuCounters.limit("150000 100000\n")).contains(1.5);
    assertThat(CpuCounters.limit("max 100000\n")).isEmpty();
    assertThat(CpuCounters.limit("")).isEmpty();
    assertThat(CpuCounters.usage("usage_usec 2000\nuser_usec 1\n", 1.5, 4_000))
        .contains(new Sample(2_000_000, 6_000, 4_000));
    assertThat(CpuCounters.usage("", 1.5, 4_000)).isEmpty();
  }

  @Test
  void work_of_this_machine_shows() {
    var cpu = Machine.real().cpuPercent();
    var done = new AtomicBoolean();
    var threads = Runtime.getRuntime().availableProcessors();
    for (int i = 0; i < threads; i++) {
      var _ =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    while (!done.get()) {
                      Thread.onSpinWait();
                    }
                  });
    }
    try {
      await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> cpu.getAsDouble() > 50);
      assertThat(cpu.getAsDouble()).isBetween(0.0, 100.0);
    } finally {
      done.set(true);
    }
  }

  /** Seconds with this load. */
  private double after(int seconds, int percent) {
    var before = Objects.requireNonNull(sample);
    sample =
        new Sample(
            before.busy() + (long) seconds * percent,
            before.available() + seconds * 100L,
            before.nanos() + seconds * SECOND);
    return meter.percent().orElse(-1);
  }
}
