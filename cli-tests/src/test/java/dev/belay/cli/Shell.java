package dev.belay.cli;

import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.StopSignals;
import dev.belay.domain.id.Ids;
import dev.belay.embedded.testing.TestPostgres;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Runs command lines as a person would and keeps their output. */
final class Shell {

  /** Held by a test whose command starts a server in this JVM, which configures the logging. */
  static final String LOGGING = "logging";

  static final Instant NOW = Instant.parse("2026-03-01T12:00:10Z");

  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  final Map<String, String> env = new HashMap<>();
  private final List<Path> links = new ArrayList<>();
  final StopSignals signals = StopSignals.none();
  boolean terminal;

  /** What a person types; null without a terminal at stdin. */
  @Nullable String typed;

  /** A member of a cluster lives for seconds here: the second compiler would only cost time. */
  private static final String SHORT_LIVED =
      "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions"
          + " -XX:-BytecodeVerificationRemote";

  private final AtomicLong counter = new AtomicLong();

  /** The result of a command line. */
  record Result(int status, String out, String err) {}

  Shell(Path home) {
    env.put("HOME", home.toString());
    env.put("TMPDIR", home.toString());
    env.put("BELAY_JAVA_OPTS", SHORT_LIVED);
  }

  /** Its commands keep everything in {@code folder}, where PostgreSQL is already unpacked. */
  Shell home(Path folder) throws IOException {
    env.put("BELAY_HOME", folder.toString());
    Files.createDirectories(folder, PRIVATE);
    return link(folder.resolve("postgres-binaries"));
  }

  /** As if PostgreSQL were unpacked there, which takes longer than most tests. */
  Shell link(Path binaries) throws IOException {
    links.add(Files.createSymbolicLink(binaries, TestPostgres.binariesFolder()));
    return this;
  }

  /** Call it before JUnit deletes the folders: it does not expect links. */
  void unlink() throws IOException {
    for (Path link : links) {
      Files.deleteIfExists(link);
    }
  }

  Shell server(FakeServer server) {
    env.put("BELAY_SERVER", server.url());
    return this;
  }

  Result run(String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int status = Belay.execute(surroundings(out, err), args);
    return new Result(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  CommandContext surroundings(ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return new CommandContext(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        terminal,
        env,
        Clock.fixed(NOW, ZoneOffset.UTC),
        System::nanoTime,
        () -> Ids.v7(NOW.toEpochMilli(), 1, counter.incrementAndGet()),
        () -> signals,
        () -> typed == null ? null : new BufferedReader(new StringReader(typed)));
  }
}
