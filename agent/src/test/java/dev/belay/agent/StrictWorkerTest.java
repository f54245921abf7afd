package dev.belay.agent;

import static dev.belay.agent.ControlPlane.dispatch;
import static dev.belay.agent.ControlPlane.strict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole agent with strict tasks: frozen, cut off, not granted. */
@Timeout(60)
class StrictWorkerTest {

  private static final Duration LEASE = Duration.ofSeconds(2);

  @TempDir Path temp;

  @BeforeEach
  void writeToken() throws IOException {
    Files.writeString(temp.resolve("join-token"), "secret-token\n");
  }

  @Test
  void frozen_agent_keeps_no_strict_task_beyond_its_lease_and_every_other_one() throws Exception {
    try (var plane = new ControlPlane()) {
      plane.seeing(true);
      plane.granting(true);
      var fenced = strict(LEASE, "/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done");
      var free = dispatch("/bin/sleep", "60");
      var child = KilledWorkerTest.child(temp, plane.address());
      try {
        plane.assign(fenced, free);
        long fencedPid = plane.awaitStarted(fenced).getPid();
        long freePid = plane.awaitStarted(free).getPid();
        // Longer than a lease, which is extended meanwhile.
        long heartbeats = plane.heartbeats();
        await().until(() -> plane.heartbeats() > heartbeats + 11);
        assertThat(isAlive(fencedPid)).isTrue();

        signal("STOP", child.pid());
        await().atMost(LEASE.plusSeconds(1)).until(() -> !isAlive(fencedPid));
        assertThat(isAlive(freePid)).isTrue();

        signal("CONT", child.pid());
        var end = plane.awaitFinished(fenced);
        assertThat(end.getAborted().getReason()).isEqualTo("lease_expired");
        assertThat(end.getStartedAtMs()).isPositive();
        assertThat(isAlive(freePid)).isTrue();
      } finally {
        child.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void agent_whose_reports_are_not_seen_ends_its_strict_task() throws Exception {
    try (var plane = new ControlPlane();
        var _ = Agent.start(AgentTest.settings(temp, plane.address()))) {
      plane.seeing(true);
      plane.granting(true);
      var fenced = strict(Duration.ofSeconds(1), "/bin/sleep", "60");
      plane.assign(fenced);
      plane.awaitStarted(fenced);
      plane.seeing(false);
      var end = plane.awaitFinished(fenced);
      assertThat(end.getAborted().getReason()).isEqualTo("lease_expired");
    }
  }

  @Test
  void strict_task_runs_when_it_is_granted_and_not_before() throws Exception {
    try (var plane = new ControlPlane();
        var _ = Agent.start(AgentTest.settings(temp, plane.address()))) {
      plane.seeing(true);
      var ran = temp.resolve("ran");
      var fenced = strict(LEASE, "/bin/sh", "-c", "touch " + ran);
      plane.assign(fenced);
      plane.awaitStarted(fenced);
      long heartbeats = plane.heartbeats();
      await().until(() -> plane.heartbeats() > heartbeats + 2);
      assertThat(ran).doesNotExist();
      plane.drop();
      await().until(() -> starts(plane, fenced.getDispatchId()) == 2);
      assertThat(ran).as("asks again on the next connection").doesNotExist();
      plane.grant(fenced.getDispatchId());
      assertThat(plane.awaitFinished(fenced).getExit().getCode()).isZero();
      assertThat(ran).exists();
    }
  }

  private static long starts(ControlPlane plane, String dispatch) {
    return plane
        .all(m -> m.hasStarted() && m.getStarted().getDispatchId().equals(dispatch))
        .count();
  }

  /** A zombie is not alive: its frozen parent cannot reap it. */
  private static boolean isAlive(long pid) throws IOException {
    var stat = Path.of("/proc", Long.toString(pid), "stat");
    if (!Files.exists(stat)) {
      return false;
    }
    var text = Files.readString(stat);
    return text.charAt(text.lastIndexOf(')') + 2) != 'Z';
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }
}
