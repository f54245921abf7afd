package dev.belay.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command prefix of a task's latch: a new session, the user of tasks, and a parent-death
 * signal. With the signal the kernel kills the task's first process when the thread that started it
 * ends, and so when the agent dies.
 *
 * @param setpriv empty where this machine's setpriv cannot do that; then only our helper processes
 *     end the tasks of a dead agent
 */
record Launcher(String setsid, List<String> setpriv, TaskAccount account) {

  private static final Logger log = LoggerFactory.getLogger(Launcher.class);
  private static final long PROBE_SECONDS_MAX = 10;

  /** Exit codes of probes, which neither setpriv nor a shell uses. */
  private static final int READABLE = 10;

  private static final int UNREADABLE = 11;
  private static final int NO_ANSWER = -1;

  /** Comes after the change of user, which would clear it; setpriv keeps that order. */
  private static final List<String> DIE_WITH_AGENT = List.of("--pdeathsig", "KILL");

  /**
   * @throws IOException with a message for people, when tasks cannot run as their user
   */
  static Launcher find(TaskAccount account, Map<String, String> env) throws IOException {
    String setsid =
        program("setsid", env)
            .orElseThrow(() -> new IOException("setsid is missing; install util-linux"));
    Optional<String> program = program("setpriv", env);
    List<String> become = account.user().map(TaskUser::become).orElse(List.of());
    if (program.isPresent()) {
      List<String> words = new ArrayList<>(List.of(program.get()));
      words.addAll(become);
      words.addAll(DIE_WITH_AGENT);
      if (starts(words)) {
        return new Launcher(setsid, List.copyOf(words), account);
      }
    }
    if (account.user().isPresent()) {
      throw cannotBecome(account.user().get());
    }
    log.atWarn().log("no setpriv --pdeathsig: the kernel does not end tasks of a dead agent");
    return new Launcher(setsid, List.of(), account);
  }

  List<String> words(String latch) {
    List<String> words = new ArrayList<>(List.of(setsid));
    words.addAll(setpriv);
    String umask = account.umask().map(mask -> "umask " + mask + "; ").orElse("");
    words.addAll(List.of("/bin/sh", "-c", umask + latch, TaskOutput.LATCH_NAME));
    return words;
  }

  /**
   * @throws IOException with a message for people, when the tasks' user cannot reach that folder
   */
  void checkReaches(Path folder) throws IOException {
    List<String> command = new ArrayList<>(setpriv);
    command.addAll(List.of("/bin/sh", "-c", "cd \"$1\"", "belay", folder.toString()));
    if (account.user().isPresent() && !succeeds(command)) {
      throw new IOException(
          "the user %s cannot enter %s, where tasks work. Choose a folder that others can enter (not below /root), with --dir."
              .formatted(account.user().get().name(), folder));
    }
  }

  /** Tries it as that user, to include all its groups and the file's access list. */
  static boolean canRead(TaskUser user, Path file, Map<String, String> env) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(program("setpriv", env).orElseThrow(() -> cannotBecome(user)));
    command.addAll(user.become());
    String test = "if [ -r \"$1\" ]; then exit %d; fi; exit %d".formatted(READABLE, UNREADABLE);
    command.addAll(List.of("/bin/sh", "-c", test, "belay", file.toString()));
    return switch (exitCode(command)) {
      case READABLE -> true;
      case UNREADABLE -> false;
      default -> throw cannotBecome(user);
    };
  }

  private static IOException cannotBecome(TaskUser user) {
    return new IOException(
        "tasks cannot run as %s: `setpriv %s` does not work here. Install util-linux, or leave --task-user out."
            .formatted(user.name(), String.join(" ", user.become())));
  }

  private static Optional<String> program(String name, Map<String, String> env) {
    String path = env.getOrDefault("PATH", "") + ":" + TaskEnvironment.DEFAULT_PATH;
    return Stream.of(path.split(":"))
        .filter(place -> place.startsWith("/"))
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString);
  }

  private static boolean starts(List<String> words) throws IOException {
    List<String> command = new ArrayList<>(words);
    command.addAll(List.of("/bin/sh", "-c", ":"));
    return succeeds(command);
  }

  private static boolean succeeds(List<String> command) throws IOException {
    return exitCode(command) == 0;
  }

  private static int exitCode(List<String> command) throws IOException {
    Process probe =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (probe.waitFor(PROBE_SECONDS_MAX, TimeUnit.SECONDS)) {
        return probe.exitValue();
      }
      probe.destroyForcibly();
      return NO_ANSWER;
    } catch (InterruptedException e) {
      probe.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
