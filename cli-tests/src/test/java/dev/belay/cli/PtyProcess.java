package dev.belay.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A {@code belay} whose terminal is a real pseudo-terminal, watched by an emulator. */
final class PtyProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Pty pty;
  private final Process process;
  private final Thread reader;
  final Emulator screen;

  PtyProcess(int rows, int columns, Map<String, String> env, String... args) throws IOException {
    pty = Pty.open(rows, columns);
    screen = new Emulator(rows, columns);
    var command = new ArrayList<String>();
    // Makes the slave its controlling terminal: /dev/tty and SIGWINCH work as for a person.
    command.addAll(List.of("setsid", "--ctty"));
    command.addAll(BelayJvm.command("-Xmx128m", args));
    var terminal = pty.slave().toFile();
    var builder =
        new ProcessBuilder(command)
            .redirectInput(terminal)
            .redirectOutput(terminal)
            .redirectError(terminal);
    builder.environment().keySet().removeIf(name -> name.startsWith("BELAY_"));
    builder.environment().keySet().removeAll(List.of("COLUMNS", "LINES", "NO_COLOR"));
    builder.environment().put("TERM", "xterm");
    builder.environment().put("TZ", "UTC");
    builder.environment().putAll(env);
    process = builder.start();
    reader =
        Thread.ofPlatform()
            .daemon()
            .start(
                () ->
                    pty.readAll(bytes -> screen.write(new String(bytes, StandardCharsets.UTF_8))));
  }

  void resize(int rows, int columns) {
    pty.resize(rows, columns);
    screen.resize(rows, columns);
  }

  /** The newest matching frame. */
  List<String> await(Predicate<List<String>> wanted) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> screen.frames().stream().anyMatch(wanted) || !process.isAlive());
    return screen.frames().stream()
        .filter(wanted)
        .reduce((first, second) -> second)
        .orElseThrow(() -> new AssertionError("never seen; last: " + screen.all()));
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end");
    }
    reader.join(PATIENCE);
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    pty.close();
  }
}
