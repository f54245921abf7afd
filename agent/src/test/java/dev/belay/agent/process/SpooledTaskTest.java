package dev.belay.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.agent.logs.LogSettings;
import dev.belay.agent.logs.LogShipper;
import dev.belay.agent.logs.LogSpool;
import dev.belay.agent.state.Room;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SpooledTaskTest {

  @TempDir Path temp;

  @Test
  void task_that_writes_more_than_its_log_may_hold_is_not_blocked() throws Exception {
    try (Scene scene = new Scene(temp.resolve("agent"))) {
      var script = "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo the end";
      assertThat(run(scene, script)).isEqualTo(new Outcome.Exited(0, 0));
      List<Path> files = logs(scene);
      long bytes = 0;
      for (Path file : files) {
        bytes += Files.size(file);
      }
      assertThat(bytes).isBetween(9L * 1024 * 1024, 10L * 1024 * 1024);
      assertThat(Files.readAllLines(files.getLast()).getLast()).endsWith(" O the end");
      assertThat(Files.readAllLines(files.get(1))).allMatch(line -> line.length() < 8 * 1024 + 40);
    }
  }

  @Test
  void both_streams_are_in_the_log_of_the_ended_task() throws Exception {
    try (Scene scene = new Scene(temp.resolve("agent"))) {
      run(scene, "echo one; sleep 0.1; echo two >&2; sleep 0.1; printf three");
      assertThat(
              Files.readAllLines(logs(scene).getFirst()).stream().map(line -> line.substring(25)))
          .containsExactly("O one", "E two", "O three");
    }
  }

  private static Outcome.Reported run(Scene scene, String text) throws Exception {
    LogShipper shipper =
        new LogShipper(
            scene.folder.logs(), LogSettings.defaults(), Clock.systemUTC(), () -> {}, Room.NONE);
    Dispatch dispatch = scene.shell(text);
    LogSpool spool =
        shipper.open(DispatchId.of(dispatch.getDispatchId()), TaskId.of(dispatch.getTaskId()));
    return scene.end(scene.run(dispatch, spool)).outcome();
  }

  /** The beginning, then the pieces of the end in order. */
  private static List<Path> logs(Scene scene) throws Exception {
    try (var files = Files.list(scene.folder.logs())) {
      return files.sorted(Comparator.comparing(SpooledTaskTest::order)).toList();
    }
  }

  private static String order(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".tail") ? "2" + name : "1" + name;
  }
}
