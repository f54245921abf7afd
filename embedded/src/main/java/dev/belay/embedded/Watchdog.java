package dev.belay.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The JVM's side of one run of {@code watchdog.sh}. */
final class Watchdog {
  private static final Logger log = LoggerFactory.getLogger(Watchdog.class);

  /** The script promises to end 3 s after end of file; a loaded machine gets some more. */
  static final Duration END_MAX = Duration.ofSeconds(5);

  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final Process process;
  private final OutputStream input;
  private final BufferedReader output;

  private Watchdog(Process process) {
    this.process = process;
    this.input = process.getOutputStream();
    this.output = process.inputReader(StandardCharsets.US_ASCII);
  }

  /** The command's environment: it works on {@code cluster}. */
  record Job(DataFolder folder, Path cluster, ServerBinaries binaries, RunAs runAs) {
    Watchdog start(boolean deleteAfterwards, List<String> command)
        throws IOException, EmbeddedPostgresFailed {
      List<String> words = new ArrayList<>(ownSession());
      words.addAll(runAs.watchdog());
      words.addAll(List.of("sh", folder.script().toString(), folder.root().toString()));
      words.addAll(List.of(cluster.toString(), binaries.postgres().toString()));
      words.add(deleteAfterwards ? "delete" : "keep");
      words.addAll(runAs.server());
      words.addAll(command);
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .directory(folder.root().toFile())
              .redirectError(ProcessBuilder.Redirect.appendTo(folder.log().toFile()));
      builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
      builder.environment().put("LC_ALL", "C");
      Watchdog watchdog = new Watchdog(builder.start());
      watchdog.say("go");
      return watchdog;
    }
  }

  /** Ctrl-C reaches a whole session: it must not end the server before the JVM is done with it. */
  private static List<String> ownSession() {
    if (System.getProperty("os.name").equals("Linux")) {
      return List.of("setsid");
    }
    return List.of("perl", "-e", "use POSIX; POSIX::setsid(); exec @ARGV");
  }

  static String script() throws IOException {
    try (InputStream script = Watchdog.class.getResourceAsStream("watchdog.sh")) {
      if (script == null) {
        throw new IOException("watchdog.sh is not in the class path");
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Waits until the watchdogs of an earlier server in the folder end, because they would end the
   * next server as theirs. They saw end of file (this JVM holds the lock), so they end soon.
   */
  static void awaitEarlier(DataFolder folder, LongSupplier ticker)
      throws InterruptedException, EmbeddedPostgresFailed {
    for (int round = 1; round <= 2; round++) {
      long start = ticker.getAsLong();
      List<ProcessHandle> earlier = of(folder);
      while (!earlier.isEmpty() && ticker.getAsLong() - start < END_MAX.toNanos()) {
        Thread.sleep(LOOK_EVERY);
        earlier = of(folder);
      }
      if (earlier.isEmpty()) {
        return;
      }
      log.atWarn().addKeyValue("pids", earlier).log("earlier PostgreSQL watchdog does not end");
      earlier.forEach(ProcessHandle::destroyForcibly);
    }
    throw new EmbeddedPostgresFailed(
        "An earlier server of " + folder.root() + " does not end: processes " + of(folder));
  }

  private static List<ProcessHandle> of(DataFolder folder) {
    List<String> ours = List.of(folder.script().toString(), folder.root().toString());
    return ProcessHandle.allProcesses()
        .filter(
            each -> {
              List<String> words = List.of(each.info().arguments().orElse(new String[0]));
              return Collections.indexOfSubList(words, ours) >= 0;
            })
        .toList();
  }

  /** The pid of the command, the watchdog's first output; empty when it could not start. */
  String childPid() throws IOException {
    String line = output.readLine();
    return line == null ? "" : line;
  }

  private void say(String word) throws IOException {
    input.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
    input.flush();
  }

  /** Asks the server for a fast shutdown; it disconnects its clients and writes a checkpoint. */
  void askForFastShutdown() {
    sayIfThere("fast");
  }

  /** Whether the watchdog's reader runs; without it, nothing ends the server after the JVM. */
  boolean listens() {
    return sayIfThere("still here");
  }

  private boolean sayIfThere(String word) {
    try {
      say(word);
      return true;
    } catch (IOException gone) {
      log.atDebug().addKeyValue("word", word).log("watchdog does not listen");
      return false;
    }
  }

  /**
   * End of file: the watchdog kills whatever still runs. The JDK also does this at process exit.
   */
  void cutOff() {
    try {
      input.close();
    } catch (IOException alreadyGone) {
      log.atDebug().log("watchdog is gone already");
    }
  }

  boolean awaitExit(Duration timeout) throws InterruptedException {
    return process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitStatus() {
    return process.exitValue();
  }

  CompletableFuture<Integer> onExit() {
    return process.onExit().thenApply(Process::exitValue);
  }

  void kill() {
    process.destroyForcibly();
  }
}
