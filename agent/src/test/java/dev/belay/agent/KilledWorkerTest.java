package dev.belay.agent;

import static dev.belay.agent.ControlPlane.dispatch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.belay.protocol.agent.v1.Held;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole agent in its own JVM, killed with -9. */
@Timeout(60)
class KilledWorkerTest {

  @TempDir Path temp;

  @Test
  void restarted_worker_says_what_became_of_its_dispatches() throws Exception {
    Files.writeString(temp.resolve("join-token"), "secret-token\n");
    try (var plane = new ControlPlane()) {
      plane.settling(false);
      var running = dispatch("/bin/sleep", "60");
      var told = dispatch("/bin/sh", "-c", "exit 7");
      var untold = dispatch("/bin/echo", "its log is on the way");
      var child = child(temp, plane.address());
      plane.assign(running, told);
      var pid = plane.awaitStarted(running).getPid();
      plane.awaitFinished(told);
      plane.ackingLogs(false);
      plane.assign(untold);
      awaitEndInJournal(untold.getDispatchId());
      assertThat(plane.finished(untold)).isEmpty();
      child.destroyForcibly().waitFor();

      try (var next = Agent.start(AgentTest.settings(temp, plane.address()))) {
        var hello = plane.awaitHello(2);
        assertThat(hello.getWorkerId()).isEqualTo(next.workerId());
        assertThat(hello.getJournalComplete()).isTrue();
        assertThat(hello.getHeldList())
            .extracting(Held::getDispatchId, Held::getTaskId, Held::getPhase)
            .containsExactlyInAnyOrder(
                tuple(running.getDispatchId(), running.getTaskId(), Held.Phase.DIED),
                tuple(told.getDispatchId(), told.getTaskId(), Held.Phase.ENDED),
                tuple(untold.getDispatchId(), untold.getTaskId(), Held.Phase.ENDED));
        plane.ackingLogs(true);
        assertThat(plane.awaitFinished(told, 2).getExit().getCode()).isEqualTo(7);
        plane.awaitFinished(untold);
        assertThat(plane.finished(running)).isEmpty();
        await().until(() -> !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
      }
    }
  }

  /** Its end is on disk although the server does not know it yet. */
  private void awaitEndInJournal(String dispatch) {
    var journal = temp.resolve("agent").resolve("journal.ndjson");
    await()
        .until(
            () ->
                Files.readAllLines(journal).stream()
                    .anyMatch(line -> line.contains(dispatch) && line.contains("ended")));
  }

  static Process child(Path temp, URI server) throws Exception {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Child.class.getName(),
            temp.toString(),
            server.toString())
        .inheritIO()
        .start();
  }

  /** Runs in the other JVM. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      try (var agent = Agent.start(AgentTest.settings(Path.of(args[0]), URI.create(args[1])))) {
        agent.gaveUp().toCompletableFuture().join();
      }
    }
  }
}
