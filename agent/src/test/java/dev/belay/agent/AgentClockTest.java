package dev.belay.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.belay.agent.state.AgentFolder;
import dev.belay.agent.wiring.Kernel;
import dev.belay.agent.wiring.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentClockTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir Path temp;

  private Instant timeOfDay = NOON;
  private long uptime = SECONDS.toNanos(1_000);
  private long ticker = 77;

  @Test
  void begins_with_the_time_of_day() throws Exception {
    assertThat(open("boot").instant()).isEqualTo(NOON);
  }

  @Test
  void goes_on_when_the_time_of_day_is_set_also_in_the_next_process() throws Exception {
    var clock = open("boot");
    pass(Duration.ofSeconds(10));
    timeOfDay = timeOfDay.minus(Duration.ofDays(400));
    assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(10));
    assertThat(open("boot").instant()).isEqualTo(NOON.plusSeconds(10));
  }

  @Test
  void begins_anew_when_the_machine_was_started_again_or_the_file_is_damaged() throws Exception {
    open("boot");
    timeOfDay = NOON.plusSeconds(60);
    uptime = SECONDS.toNanos(5);
    assertThat(open("other boot").instant()).isEqualTo(timeOfDay);
    for (var damage :
        new byte[][] {
          {}, {(byte) 0xff, 0, 1}, "other".getBytes(java.nio.charset.StandardCharsets.UTF_8)
        }) {
      Files.write(temp.resolve("clock"), damage);
      assertThat(open("other").instant()).isEqualTo(timeOfDay);
    }
  }

  @Test
  void counts_the_time_while_the_machine_sleeps() throws Exception {
    var clock = open("boot");
    pass(Duration.ofSeconds(10));
    uptime += SECONDS.toNanos(3_600);
    assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(3_610));
  }

  @Test
  void grain_of_the_uptime_does_not_show() throws Exception {
    var clock = open("boot");
    ticker += SECONDS.toNanos(1);
    uptime += SECONDS.toNanos(1) - 10_000_000;
    assertThat(clock.millis()).isCloseTo(NOON.plusSeconds(1).toEpochMilli(), within(0L));
  }

  private void pass(Duration time) {
    ticker += time.toNanos();
    uptime += time.toNanos();
    timeOfDay = timeOfDay.plus(time);
  }

  private AgentClock open(String bootId) throws IOException {
    var real = Machine.real();
    var machine =
        new Machine(
            () -> timeOfDay,
            () -> ticker,
            new Kernel(() -> uptime, () -> 0),
            real.random(),
            real.ids(),
            real.cpuPercent(),
            real.platform(),
            real.environment());
    var opened = (AgentFolder.Opened) AgentFolder.open(temp, real.ids(), real.random());
    try (var folder = opened.folder()) {
      return AgentClock.open(folder, bootId, machine);
    }
  }
}
