package dev.belay.agent.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Ground truth about processes, from files that they write and from /proc. */
final class Proc {

  private Proc() {}

  /** Waits for the file into which a process writes its pid. */
  static long pidIn(Path file) {
    await().atMost(Duration.ofSeconds(20)).until(() -> !text(file).isBlank());
    return Long.parseLong(text(file).strip());
  }

  /** A zombie is not alive: it waits for its parent to reap it. */
  static boolean alive(long pid) {
    String stat = text(Path.of("/proc/" + pid + "/stat"));
    return !stat.isEmpty() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
  }

  static void awaitGone(Duration within, List<Long> pids) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(within)
        .until(() -> pids.stream().noneMatch(Proc::alive));
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException missing) {
      return "";
    }
  }
}
