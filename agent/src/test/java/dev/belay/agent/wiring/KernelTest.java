package dev.belay.agent.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KernelTest {

  @Test
  void uptime_is_read_to_the_hundredth_and_goes_on() {
    assertThat(Kernel.uptimeNanos("350735.47 234388.90\n")).isEqualTo(350_735_470_000_000L);
    assertThat(Kernel.uptimeNanos("0.05 0.01\n")).isEqualTo(50_000_000L);
    var uptime = Kernel.real().uptime();
    long before = uptime.getAsLong();
    await().until(() -> uptime.getAsLong() > before);
  }

  @Test
  void kills_for_lack_of_memory_are_found_in_both_kinds_of_control_groups() {
    assertThat(Kernel.oomKills("low 0\noom 4\noom_kill 3\noom_group_kill 0\n")).isEqualTo(3);
    assertThat(Kernel.oomKills("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")).isEqualTo(2);
    assertThat(Kernel.oomFiles("0::/a/b").map(Path::toString))
        .containsExactly("/sys/fs/cgroup/a/b/memory.events", "/sys/fs/cgroup/memory.events");
    assertThat(Kernel.oomFiles("4:memory:/a").map(Path::toString))
        .containsExactly(
            "/sys/fs/cgroup/memory/a/memory.oom_control",
            "/sys/fs/cgroup/memory/memory.oom_control");
    assertThat(Kernel.oomFiles("5:cpu:/")).isEmpty();
  }
}
