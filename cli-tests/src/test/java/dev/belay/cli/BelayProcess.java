package dev.belay.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A {@code belay} in its own process, as a shell would start it. */
final class BelayProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final Path out;
  private final Path err;

  BelayProcess(Path folder, Map<String, String> env, String... args) throws IOException {
    out = Files.createTempFile(folder, "out", ".txt");
    err = Files.createTempFile(folder, "err", ".txt");
    var builder =
        new ProcessBuilder(BelayJvm.command("-Xmx256m", args))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    // A build may run in an environment that sets them.
    builder.environment().keySet().removeIf(name -> name.startsWith("BELAY_"));
    builder.environment().putAll(env);
    process = builder.start();
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  long pid() {
    return process.pid();
  }

  BelayProcess awaitOut(String text) {
    Awaitility.await().atMost(PATIENCE).until(() -> out().contains(text) || !process.isAlive());
    return this;
  }

  void signal(String name) throws IOException, InterruptedException {
    // A background job of a shell, as a build may be, passes on that it ignores Ctrl-C.
    String heard = name.equals("INT") && ignoresInterrupt() ? "TERM" : name;
    new ProcessBuilder("kill", "-" + heard, Long.toString(pid())).inheritIO().start().waitFor();
  }

  private boolean ignoresInterrupt() throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
