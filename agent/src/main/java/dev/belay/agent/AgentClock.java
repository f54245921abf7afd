package dev.belay.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.belay.agent.state.AgentFolder;
import dev.belay.agent.wiring.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock for the start and end times of tasks. The first agent in this folder after a boot takes
 * the time of day; from then on the clock follows the kernel's uptime, in later processes too, and
 * ignores changes to the time of day. It may be wrong: the server compares it with its own clock.
 *
 * <p>It reads the uptime now and then and counts with the ticker in between. Thread-safe.
 */
final class AgentClock implements InstantSource {

  private static final Logger log = LoggerFactory.getLogger(AgentClock.class);
  private static final String FILE = "clock";
  private static final long READ_AFTER_NANOS = Duration.ofMillis(500).toNanos();

  /** The ticker stops while the machine sleeps. A smaller difference is the uptime's resolution. */
  private static final long SLEPT_NANOS = Duration.ofMillis(50).toNanos();

  private final LongSupplier uptime;
  private final LongSupplier ticker;
  private final long bootedAtMs;
  private volatile Reading last;

  private record Reading(long ticked, long uptime, long checked) {}

  private AgentClock(Machine machine, long bootedAtMs) {
    this.uptime = machine.kernel().uptime();
    this.ticker = machine.ticker();
    this.bootedAtMs = bootedAtMs;
    long now = ticker.getAsLong();
    this.last = new Reading(now, uptime.getAsLong(), now);
  }

  static AgentClock open(AgentFolder folder, String bootId, Machine machine) {
    Path file = folder.path().resolve(FILE);
    long uptimeMs = Duration.ofNanos(machine.kernel().uptime().getAsLong()).toMillis();
    long fresh = machine.clock().millis() - uptimeMs;
    long bootedAtMs = kept(file, bootId, fresh);
    if (bootedAtMs == fresh) {
      keep(file, bootId + " " + fresh + "\n");
    }
    return new AgentClock(machine, bootedAtMs);
  }

  /** Without the file a later process takes the time of day again, so a failure is only logged. */
  private static void keep(Path file, String text) {
    Path written = file.resolveSibling(FILE + ".new");
    try {
      Files.writeString(written, text);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      log.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("cause", e)
          .log("the agent's clock cannot be kept");
    }
  }

  /** The value of an earlier process of the same boot, or else the fresh one. */
  private static long kept(Path file, String bootId, long fresh) {
    if (bootId.isEmpty() || !Files.exists(file)) {
      return fresh;
    }
    try {
      var words = new String(Files.readAllBytes(file), UTF_8).strip().split(" ", 2);
      return words[0].equals(bootId) ? Long.parseLong(words[1]) : fresh;
    } catch (IOException | RuntimeException damaged) {
      log.atWarn()
          .addKeyValue("file", file)
          .log("the agent's clock is set anew: its file cannot be read");
      return fresh;
    }
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    long now = ticker.getAsLong();
    Reading reading = last;
    if (now - reading.checked() > READ_AFTER_NANOS) {
      reading = read(now, reading);
      last = reading;
    }
    long up = reading.uptime() + now - reading.ticked();
    return bootedAtMs + Math.floorDiv(up, 1_000_000);
  }

  private Reading read(long now, Reading before) {
    long expected = before.uptime() + now - before.ticked();
    long really = uptime.getAsLong();
    return really - expected > SLEPT_NANOS
        ? new Reading(now, really, now)
        : new Reading(before.ticked(), before.uptime(), now);
  }
}
