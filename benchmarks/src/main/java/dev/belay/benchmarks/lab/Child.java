package dev.belay.benchmarks.lab;

import java.io.BufferedReader;
import java.io.BufferedWriter;
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

/**
 * A process that takes one order per line and answers each with a line. It ends with its standard
 * input, so it does not outlive the benchmark.
 */
public final class Child implements AutoCloseable {

  private static final Duration STOP_MAX = Duration.ofSeconds(20);
  private static final int LINES_MAX = 1_000;
  private static final int LOG_LINES_SHOWN = 30;

  /** Marks the end of the process's output. */
  private static final String END = "\0";

  private final String name;
  private final Process process;
  private final Path log;
  private final BufferedWriter orders;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(LINES_MAX);

  private Child(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.orders = process.outputWriter();
    Thread.ofPlatform().daemon().name(name + "-output").start(this::read);
  }

  /**
   * @param folder for its log
   */
  public static Child start(
      String name, Path folder, List<String> command, Map<String, String> environment)
      throws IOException {
    var log = folder.resolve(name + ".log");
    var builder = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    return new Child(name, builder.start(), log);
  }

  /** For a program that ignores its standard input: a shell reads it and then ends the program. */
  public static List<String> endedWithInput(List<String> command) {
    var words = new ArrayList<String>();
    words.addAll(
        List.of(
            "/bin/sh",
            "-c",
            "exec 3<&0; \"$@\" & child=$!; echo $child;"
                + " (cat; kill $child) <&3 >/dev/null 2>&1 & wait $child",
            "sh"));
    words.addAll(command);
    return words;
  }

  public long pid() {
    return process.pid();
  }

  public String ask(String order, Duration atMost) throws IOException, InterruptedException {
    try {
      orders.write(order);
      orders.newLine();
      orders.flush();
    } catch (IOException gone) {
      throw new IOException(name + " is over. The end of its log:\n" + endOfLog(), gone);
    }
    return line(atMost);
  }

  /** The next line of its output. */
  public String line(Duration atMost) throws IOException, InterruptedException {
    String line = lines.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null || line.equals(END)) {
      String what = line == null ? " did not answer within " + atMost : " ended";
      throw new IOException(name + what + ". The end of its log:\n" + endOfLog());
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

  private String endOfLog() throws IOException {
    var all = Files.readAllLines(log);
    return String.join("\n", all.subList(Math.max(0, all.size() - LOG_LINES_SHOWN), all.size()));
  }

  @Override
  public void close() {
    try (orders) {
      lines.clear();
    } catch (IOException alreadyGone) {
      // A pipe without a reader: the process has ended, as intended.
    }
    try {
      process.waitFor(STOP_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
