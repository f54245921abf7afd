package dev.belay.agent;

import static dev.belay.agent.ControlPlane.dispatch;
import static dev.belay.agent.ControlPlane.strict;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose state folder is on a disk that fills up. */
@Timeout(60)
class FullDiskTest {

  private static final ReserveSettings RESERVE = new ReserveSettings(1 << 20, 2 << 20, 4);

  @TempDir Path temp;

  private SmallDisk disk;

  @BeforeEach
  void a_small_disk() throws Exception {
    disk = new SmallDisk(temp.resolve("agent"), 8);
    Files.writeString(
        Files.createFile(
            temp.resolve("join-token"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
        "token");
  }

  @AfterEach
  void unmount() throws Exception {
    disk.close();
  }

  @Test
  void work_is_refused_while_the_disk_is_full_and_taken_when_there_is_room_again()
      throws Exception {
    try (var plane = new ControlPlane();
        var agent = start(plane)) {
      plane.awaitHello(1);
      disk.fill();
      await().until(() -> trouble(plane).contains("disk full"));
      var early = dispatch("/bin/true");
      plane.assign(early);
      assertThat(refusal(plane, early).getReason()).contains("disk full");

      disk.free();
      await().until(() -> trouble(plane).isEmpty());
      var later = dispatch("/bin/true");
      plane.assign(later);
      assertThat(plane.awaitFinished(later).getExit().getCode()).isZero();
      assertThat(agent.gaveUp().toCompletableFuture()).isNotDone();
    }
  }

  @Test
  void what_runs_when_the_disk_fills_ends_truthfully_with_its_lost_output_marked()
      throws Exception {
    try (var plane = new ControlPlane();
        var agent = start(plane)) {
      var go = temp.resolve("go");
      var task =
          dispatch(
              "/bin/sh",
              "-c",
              "echo before; while [ ! -e "
                  + go
                  + " ]; do sleep 0.05; done; head -c 300000 /dev/zero | tr '\\0' x | fold -w 99;"
                  + " exit 3");
      plane.assign(task);
      plane.awaitStarted(task);
      await().until(() -> plane.log(task).contains("before"));
      disk.fill();
      Files.createFile(go);

      var finished = plane.awaitFinished(task);
      assertThat(finished.getExit().getCode()).isEqualTo(3);
      assertThat(finished.getOutputLostBytes()).isGreaterThan(200_000);
      assertThat(plane.log(task))
          .contains("O before\n")
          .containsPattern("\\[belay: [0-9,]+ bytes of output were lost here: disk full\\]");
      assertThat(Files.readString(temp.resolve("agent/journal.ndjson"), UTF_8))
          .as("the end is in the journal, by the space that was kept back")
          .contains("\"ended\":\"" + task.getDispatchId());
      assertThat(agent.gaveUp().toCompletableFuture()).isNotDone();
    }
  }

  @Test
  void strict_task_runs_on_while_the_disk_is_full() throws Exception {
    try (var plane = new ControlPlane();
        var _ = start(plane)) {
      plane.seeing(true);
      plane.granting(true);
      var task = strict(Duration.ofSeconds(4), "/bin/sleep", "6");
      plane.assign(task);
      plane.awaitStarted(task);
      await().until(() -> journal().contains("\"started\""));
      disk.fill();
      assertThat(plane.awaitFinished(task).getExit().getCode()).isZero();
    }
  }

  @Test
  void dispatch_that_cannot_be_recorded_is_refused_and_does_not_run() throws Exception {
    // No probe warns and there is no reserve: the journal itself meets the full disk.
    var nothing = new ReserveSettings(0, 0, 0);
    try (var plane = new ControlPlane();
        var agent = Agent.start(settings(plane, nothing))) {
      plane.awaitHello(1);
      var ran = temp.resolve("ran");
      disk.fill();
      // More than fits into the journal's last block.
      var tasks = new Dispatch[60];
      for (int i = 0; i < tasks.length; i++) {
        tasks[i] = dispatch("/bin/touch", ran.toString());
      }
      plane.assign(tasks);
      assertThat(refusal(plane, tasks[0]).getReason()).isNotEmpty();
      assertThat(ran).doesNotExist();
      assertThat(agent.gaveUp().toCompletableFuture()).isNotDone();
    }
  }

  private String journal() throws IOException {
    return Files.readString(temp.resolve("agent/journal.ndjson"), UTF_8);
  }

  private static TaskAccount account() {
    return new TaskAccount(Optional.empty(), Optional.empty());
  }

  private Agent start(ControlPlane plane) throws IOException {
    return Agent.start(settings(plane, RESERVE));
  }

  private AgentSettings settings(ControlPlane plane, ReserveSettings reserve) {
    return AgentTest.settings(
        temp.resolve("join-token"), temp, 100, account(), reserve, plane.address());
  }

  private static String trouble(ControlPlane plane) {
    var heartbeats = plane.all(AgentMessage::hasHeartbeat).toList();
    return heartbeats.isEmpty() ? "" : heartbeats.getLast().getHeartbeat().getTrouble();
  }

  private static Refused refusal(ControlPlane plane, Dispatch dispatch) {
    await()
        .until(
            () ->
                plane
                    .all(m -> m.getRefused().getDispatchId().equals(dispatch.getDispatchId()))
                    .findAny()
                    .isPresent());
    return plane
        .all(m -> m.getRefused().getDispatchId().equals(dispatch.getDispatchId()))
        .findFirst()
        .orElseThrow()
        .getRefused();
  }
}
