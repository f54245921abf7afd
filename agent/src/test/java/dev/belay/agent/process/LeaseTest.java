package dev.belay.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.agent.wiring.Kernel;
import dev.belay.domain.settle.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Strict tasks that only the lease watch can end. */
@Timeout(60)
class LeaseTest {

  private static final Outcome.Reported EXPIRED = new Outcome.Aborted("lease_expired");

  @TempDir Path temp;

  @Test
  void task_without_a_lease_does_not_open() throws Exception {
    try (var scene = new Scene(temp.resolve("agent"))) {
      var process = scene.prepare(scene.shell(touch()).toBuilder().setLeaseMs(1).build());
      process.open(Instant.now());
      assertThat(scene.end(process).outcome()).isEqualTo(EXPIRED);
      assertThat(temp.resolve("ran")).doesNotExist();
    }
  }

  @Test
  void gate_does_not_open_when_the_lease_is_over() throws Exception {
    try (var scene = new Scene(temp.resolve("agent"))) {
      var process = scene.lease(touch(), Duration.ofMillis(-10));
      process.open(Instant.now());
      assertThat(scene.end(process).outcome()).isEqualTo(EXPIRED);
      assertThat(temp.resolve("ran")).doesNotExist();
    }
  }

  @Test
  void task_under_a_lease_runs_to_its_end_and_sees_nothing_of_it() throws Exception {
    try (var scene = new Scene(temp.resolve("agent"))) {
      var process = scene.lease("env > " + temp.resolve("ran"), Duration.ofMinutes(1));
      process.open(Instant.now());
      assertThat(scene.end(process).outcome()).isEqualTo(new Outcome.Exited(0, 0));
      assertThat(temp.resolve("ran")).content().doesNotContain("belay_");
      assertThat(leases(scene)).as("forgotten").isEmpty();
    }
  }

  @Test
  void task_ends_with_its_lease_and_so_does_what_left_its_group() throws Exception {
    try (var scene = new Scene(temp.resolve("agent"))) {
      var process = scene.lease(family(), Duration.ofMinutes(1));
      process.open(Instant.now());
      var pids = List.of(process.pid(), Proc.pidIn(temp.resolve("stray")));
      scene.extend(process, Duration.ofMillis(500));
      var ended = scene.end(process, Duration.ofSeconds(3));
      assertThat(ended.outcome()).isEqualTo(EXPIRED);
      Proc.awaitGone(Duration.ofSeconds(1), pids);
    }
  }

  @Test
  void end_of_a_strict_task_is_told_when_nothing_of_it_is_left() throws Exception {
    try (var scene = new Scene(temp.resolve("agent"))) {
      var process =
          scene.lease(
              "setsid sh -c 'echo $$ > %1$s; exec sleep 60' & until [ -s %1$s ]; do :; done"
                  .formatted(temp.resolve("stray")),
              Duration.ofMinutes(1));
      assertThat(scene.end(open(process)).outcome()).isEqualTo(new Outcome.Exited(0, 0));
      assertThat(Proc.alive(Proc.pidIn(temp.resolve("stray")))).isFalse();
    }
  }

  @Test
  void lease_outlives_the_death_of_its_watch() throws Exception {
    try (var scene = new Scene(temp.resolve("agent"))) {
      var process = scene.lease(family(), Duration.ofMinutes(1));
      process.open(Instant.now());
      var stray = Proc.pidIn(temp.resolve("stray"));
      long first = scene.processes.leases().pid();
      Libc.kill(first, Libc.SIGKILL);
      await().until(() -> scene.processes.leases().pid() != first);
      assertThat(List.of(process.pid(), stray)).as("tasks do not notice").allMatch(Proc::alive);
      scene.extend(process, Duration.ofMillis(200));
      assertThat(scene.end(process, Duration.ofSeconds(3)).outcome()).isEqualTo(EXPIRED);
      Proc.awaitGone(Duration.ofSeconds(1), List.of(stray));
    }
  }

  @Test
  void watch_leaves_with_its_agent() throws Exception {
    long watch;
    try (var scene = new Scene(temp.resolve("agent"))) {
      scene.end(open(scene.lease("true", Duration.ofMinutes(1))));
      watch = scene.processes.leases().pid();
      assertThat(Proc.alive(watch)).isTrue();
    }
    Proc.awaitGone(Duration.ofSeconds(3), List.of(watch));
  }

  @Test
  void agent_without_strict_tasks_has_no_watch() throws Exception {
    try (var scene = new Scene(temp.resolve("agent"))) {
      scene.end(scene.dispatch("true"));
      assertThat(scene.processes.leases().pid()).isZero();
    }
  }

  @Test
  void kill_for_lack_of_memory_is_told_from_other_kills() throws Exception {
    var oomKills = new AtomicLong(3);
    var kernel = new Kernel(Kernel.real().uptime(), oomKills::get);
    try (var scene = new Scene(temp.resolve("agent"), kernel)) {
      var before = scene.prepare(scene.shell("kill -KILL $$"));
      assertThat(scene.end(open(before)).outcome()).isEqualTo(new Outcome.Exited(137, 9));
      var process = scene.prepare(scene.shell("kill -KILL $$"));
      oomKills.incrementAndGet();
      var ended = scene.end(open(process));
      assertThat(ended.outcome()).isEqualTo(new Outcome.Exited(137, 9, true));
      assertThat(ended.toFinished().getExit().getOutOfMemory()).isTrue();
    }
  }

  private static LatchedProcess open(LatchedProcess process) {
    process.open(Instant.now());
    return process;
  }

  private String touch() {
    return "touch " + temp.resolve("ran");
  }

  /** Ignores everything but SIGKILL, and has a child in another session. */
  private String family() {
    return """
    trap '' TERM
    setsid sh -c 'trap "" TERM; echo $$ > %s; while :; do sleep 1; done' &
    while :; do sleep 1; done
    """
        .formatted(temp.resolve("stray"));
  }

  private static String leases(Scene scene) throws Exception {
    return Files.readString(scene.path.resolve("leases-" + scene.session));
  }
}
