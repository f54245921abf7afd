package dev.belay.fuzz.tested;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process that ends with its standard input, so it does not outlive the fuzzer. */
final class Child implements AutoCloseable {

  private static final Duration STOP_MAX = Duration.ofSeconds(20);
  private static final int LINES_MAX = 10_000;
  private static final int LOG_LINES_SHOWN = 20;
  private static final String END = "\0";

  /** A shell that prints the program's pid, waits for it, and ends it when its own input ends. */
  private static final String KEEPER =
      "exec 3<&0; \"$@\" </dev/null & child=$!; echo $child;"
          + " (cat; kill $child) <&3 >/dev/null 2>&1 & wait $child";

  private final String name;
  private final Process process;
  private final Path log;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(LINES_MAX);

  private Child(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    Thread.ofPlatform().daemon().name(name + "-output").start(this::read);
  }

  static Child start(
      String name, Path folder, List<String> command, Map<String, String> environment)
      throws IOException {
    var words = new ArrayList<>(List.of("/bin/sh", "-c", KEEPER, "sh"));
    words.addAll(command);
    Path log = folder.resolve(name + ".err");
    var builder = new ProcessBuilder(words).redirectError(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    return new Child(name, builder.start(), log);
  }

  /** The next line of its output. */
  String line(Duration atMost) throws IOException, InterruptedException {
    String line = lines.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null || line.equals(END)) {
      String what = line == null ? " said nothing within " + atMost : " ended";
      var all = Files.readAllLines(log);
      throw new IOException(
          name
              + what
              + ". The end of its log:\n"
              + String.join(
                  "\n", all.subList(Math.max(0, all.size() - LOG_LINES_SHOWN), all.size())));
    }
    return line;
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.put(line);
      }
      lines.put(END);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException alreadyGone) {
      // A pipe without a reader: the process has ended, as intended.
    }
    try {
      process.waitFor(STOP_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // Killing only the keeper would leave behind a program that ignores its signal.
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
