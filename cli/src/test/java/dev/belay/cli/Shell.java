package dev.belay.cli;

import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.StopSignals;
import dev.belay.domain.id.Ids;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Runs command lines as a person would and keeps what they print. */
final class Shell {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:10Z");

  final Map<String, String> env = new HashMap<>();
  final StopSignals signals = StopSignals.none();
  boolean terminal;

  /** What a command line left behind. */
  record Result(int status, String out, String err) {}

  Shell(Path home) {
    env.put("HOME", home.toString());
    env.put("TMPDIR", home.toString());
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
    var counter = new AtomicLong();
    return new CommandContext(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        terminal,
        env,
        Clock.fixed(NOW, ZoneOffset.UTC),
        System::nanoTime,
        () -> Ids.v7(NOW.toEpochMilli(), 1, counter.incrementAndGet()),
        () -> signals);
  }
}
