package dev.belay.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The agent in its own JVM, killed with -9. */
@Timeout(60)
class KilledAgentTest {

  private static final int SIGCONT = 18;
  private static final int SIGSTOP = 19;

  @TempDir Path temp;

  @Test
  void no_task_process_outlives_a_killed_agent() throws Exception {
    Process agent = agent("tasks");
    List<Long> pids = taskPids();
    assertThat(pids).allMatch(Proc::alive);
    kill(agent);
    Proc.awaitGone(Duration.ofSeconds(3), pids);
  }

  @Test
  void replaced_supervisor_still_protects() throws Exception {
    Process agent = agent("tasks");
    List<Long> pids = taskPids();
    long first = Proc.pidIn(temp.resolve("supervisor"));
    Libc.kill(first, Libc.SIGKILL);
    await()
        .until(
            () ->
                !Proc.text(temp.resolve("supervisor")).isBlank()
                    && Proc.pidIn(temp.resolve("supervisor")) != first);
    assertThat(pids).as("tasks do not notice").allMatch(Proc::alive);
    kill(agent);
    Proc.awaitGone(Duration.ofSeconds(3), pids);
  }

  @Test
  void watch_over_leases_ends_what_it_watches_when_the_agent_is_killed_and_nobody_else_does()
      throws Exception {
    Process agent = agent("leased");
    List<Long> pids = taskPids();
    List<Long> guards = guards();
    guards.forEach(pid -> Libc.kill(pid, SIGSTOP));
    try {
      kill(agent);
      Proc.awaitGone(Duration.ofSeconds(3), pids);
    } finally {
      guards.forEach(pid -> Libc.kill(pid, SIGCONT));
    }
  }

  @Test
  void no_task_process_outlives_an_agent_that_is_killed_together_with_its_supervisor()
      throws Exception {
    Process agent = agent("tasks");
    List<Long> pids = taskPids();
    Libc.kill(Proc.pidIn(temp.resolve("supervisor")), Libc.SIGKILL);
    kill(agent);
    Proc.awaitGone(Duration.ofSeconds(2), pids);
  }

  @Test
  void kernel_ends_the_first_process_of_a_task_when_all_who_could_are_killed_at_once()
      throws Exception {
    Process agent = agent("tasks");
    List<Long> pids = taskPids();
    guards().forEach(pid -> Libc.kill(pid, Libc.SIGKILL));
    kill(agent);
    Proc.awaitGone(Duration.ofSeconds(1), List.of(Proc.pidIn(temp.resolve("main"))));
    // The next agent in the folder must handle the tasks that this one started.
    pids.forEach(pid -> Libc.kill(pid, Libc.SIGKILL));
  }

  @Test
  void agent_killed_before_it_opened_the_gate_has_started_nothing() throws Exception {
    Process agent = agent("latched");
    long pid = Proc.pidIn(temp.resolve("latched"));
    // Frozen guards cannot end it: the latch alone must hold.
    List<Long> guards = guards();
    guards.forEach(guard -> Libc.kill(guard, SIGSTOP));
    try {
      kill(agent);
      Proc.awaitGone(Duration.ofSeconds(3), List.of(pid));
      assertThat(temp.resolve("ran")).doesNotExist();
    } finally {
      guards.forEach(guard -> Libc.kill(guard, SIGCONT));
    }
    Proc.awaitGone(Duration.ofSeconds(3), guards);
  }

  private List<Long> guards() {
    return List.of(Proc.pidIn(temp.resolve("supervisor")), Proc.pidIn(temp.resolve("deputy")));
  }

  private List<Long> taskPids() {
    List<Long> pids = new ArrayList<>();
    for (String name : List.of("main", "plain", "session", "twice", "clean")) {
      pids.add(Proc.pidIn(temp.resolve(name)));
    }
    return pids;
  }

  private Process agent(String scenario) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            ChildAgent.class.getName(),
            scenario,
            temp.toString())
        .inheritIO()
        .start();
  }

  private static void kill(Process agent) throws InterruptedException {
    agent.destroyForcibly();
    assertThat(agent.waitFor()).isEqualTo(137);
  }

  /** Runs in the other JVM. */
  static final class ChildAgent {
    private ChildAgent() {}

    public static void main(String[] args) throws Exception {
      Path temp = Path.of(args[1]);
      Scene scene = new Scene(temp.resolve("agent"));
      switch (args[0]) {
        case "latched" -> {
          LatchedProcess latched =
              scene.prepare(scene.dispatch("touch", temp.resolve("ran").toString()));
          note(temp.resolve("latched"), latched.pid());
        }
        case "tasks" -> scene.prepare(scene.shell(family(temp))).open(Instant.now());
        case "leased" -> scene.lease(family(temp), Duration.ofHours(1)).open(Instant.now());
        default -> throw new IllegalArgumentException(args[0]);
      }
      while (true) {
        note(temp.resolve("supervisor"), scene.processes.supervisor().pid());
        note(temp.resolve("deputy"), scene.processes.deputy().pid());
        Thread.sleep(20);
      }
    }

    private static String family(Path temp) {
      return """
      trap '' TERM
      sh -c 'trap "" TERM; echo $$ > %1$s/plain; while :; do sleep 1; done' &
      setsid sh -c 'trap "" TERM; echo $$ > %1$s/session; while :; do sleep 1; done' &
      (setsid sh -c 'sh -c "echo \\$\\$ > %1$s/twice; exec sleep 60" &' &) &
      env -i sh -c 'echo $$ > %1$s/clean; exec sleep 60' &
      echo $$ > %1$s/main
      while :; do sleep 1; done
      """
          .formatted(temp);
    }

    private static void note(Path file, long pid) throws IOException {
      Path fresh = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(fresh, Long.toString(pid));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
