package dev.belay.agent;

import static dev.belay.agent.ControlPlane.dispatch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.agent.link.GpuSettings;
import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.session.wire.Offer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a worker says about itself, with real commands. */
@Timeout(60)
class WorkerFactsTest {

  @TempDir Path temp;

  @BeforeEach
  void join_token() throws IOException {
    Files.writeString(
        Files.createFile(
            temp.resolve("join-token"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
        "token");
  }

  @Test
  void its_hello_tells_what_it_offers() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane, GpuSettings.none())) {
      var hello = plane.awaitHello(1);
      assertThat(hello.getLabelsMap()).isEqualTo(Map.of("zone", "a"));
      assertThat(hello.getCapabilitiesList()).containsExactly("gpu", "ssd");
      assertThat(hello.getMemoryBytes()).isEqualTo(16L << 30);
      assertThat(hello.getCpuMillis()).isEqualTo(1_500);
    }
  }

  @Test
  void its_heartbeats_tell_its_free_slots_and_how_busy_it_is() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane, GpuSettings.none())) {
      plane.seeing(true);
      var task = dispatch("/bin/sh", "-c", "while :; do :; done");
      plane.assign(task);
      plane.awaitStarted(task);
      var busy = heartbeat(plane, heartbeat -> heartbeat.getCpuPercent() > 0);
      assertThat(busy.getFreeSlots()).isEqualTo(3);
      assertThat(busy.hasGpuPercent()).isFalse();
      plane.abort(task, "cancelled");
      plane.awaitFinished(task);
      heartbeat(plane, heartbeat -> heartbeat.getFreeSlots() == 4);
    }
  }

  @Test
  void the_load_of_its_gpus_comes_from_a_command_that_no_shell_reads() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane, gpu(List.of("/usr/bin/printf", "%s\\n\\n", "40 %", "20.5")))) {
      plane.seeing(true);
      var heartbeat = heartbeat(plane, Heartbeat::hasGpuPercent);
      assertThat(heartbeat.getGpuPercent()).as("the mean").isEqualTo(30.25);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exit 3",
        "echo much",
        "echo -1",
        "echo 101",
        "echo NaN",
        ":",
        "yes 12",
        "exec /no/such/program"
      })
  void a_command_that_fails_makes_it_unknown_and_changes_nothing_else(String script)
      throws Exception {
    try (var plane = new ControlPlane();
        var agent = start(plane, gpu(List.of("/bin/sh", "-c", script)))) {
      plane.seeing(true);
      awaitHeartbeats(plane, 8);
      assertThat(plane.all(m -> m.getHeartbeat().hasGpuPercent())).isEmpty();
      assertThat(agent.gaveUp().toCompletableFuture()).isNotDone();
    }
  }

  @Test
  void a_command_that_hangs_delays_no_heartbeat_and_is_ended_with_its_children() throws Exception {
    var pids = temp.resolve("pids");
    var script = "sleep 1000 & echo $! >> " + pids + "; echo $$ >> " + pids + "; echo 50; wait";
    try (var plane = new ControlPlane();
        var _ =
            start(
                plane,
                new GpuSettings(
                    List.of("/bin/sh", "-c", script),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(1)))) {
      plane.seeing(true);
      awaitHeartbeats(plane, 5);
      await().until(() -> Files.exists(pids) && Files.readAllLines(pids).size() >= 4);
      var first = Files.readAllLines(pids).subList(0, 2);
      await().until(() -> first.stream().noneMatch(WorkerFactsTest::isAlive));
      assertThat(plane.all(m -> m.getHeartbeat().hasGpuPercent())).isEmpty();
    }
    var all = Files.readAllLines(pids);
    await().until(() -> all.stream().noneMatch(WorkerFactsTest::isAlive));
  }

  @Test
  void a_command_that_works_again_makes_it_known_again() throws Exception {
    var load = temp.resolve("load");
    try (var plane = new ControlPlane();
        var _ = start(plane, gpu(List.of("/bin/cat", load.toString())))) {
      plane.seeing(true);
      awaitHeartbeats(plane, 3);
      Files.writeString(load, "75\n");
      heartbeat(plane, heartbeat -> heartbeat.getGpuPercent() == 75);
      Files.delete(load);
      heartbeat(plane, heartbeat -> !heartbeat.hasGpuPercent());
    }
  }

  private static boolean isAlive(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isPresent();
  }

  private static void awaitHeartbeats(ControlPlane plane, long count) {
    plane.awaitHello(1);
    await().until(() -> plane.heartbeats() >= count);
  }

  /** The last heartbeat, once it is like this. */
  private static Heartbeat heartbeat(ControlPlane plane, Predicate<Heartbeat> wanted) {
    plane.awaitHello(1);
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> last(plane), last -> last.filter(wanted).isPresent())
        .orElseThrow();
  }

  private static Optional<Heartbeat> last(ControlPlane plane) {
    return plane
        .all(AgentMessage::hasHeartbeat)
        .reduce((earlier, later) -> later)
        .map(AgentMessage::getHeartbeat);
  }

  private static GpuSettings gpu(List<String> command) {
    return new GpuSettings(command, Duration.ofMillis(100), Duration.ofSeconds(5));
  }

  private Agent start(ControlPlane plane, GpuSettings gpu) throws IOException {
    var others = AgentBounds.defaults();
    return Agent.start(
        new AgentSettings(
            "a-worker",
            List.of(plane.address()),
            temp.resolve("join-token"),
            temp.resolve("agent"),
            new Offer(
                List.of("default"),
                4,
                Map.of("zone", "a"),
                Set.of("ssd", "gpu"),
                new Offer.Resources(16L << 30, 1_500)),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            10L << 20,
            TaskAccount.SAME,
            ReserveSettings.defaults(),
            new AgentBounds(
                others.process(),
                others.logs(),
                others.journal(),
                others.link(),
                gpu,
                others.session())));
  }
}
