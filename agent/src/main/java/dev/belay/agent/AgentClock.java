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
 * When tasks start and end. It was set by the time of day once, when an agent first ran in this
 * folder after the machine was started; from then on it follows the kernel's uptime, whatever is
 * done to the time of day, also in later processes. The server compares it with its own clock, so
 * that it need not be right.
 *
 * <p>The uptime is read now and then; between two readings the ticker counts. Any thread may ask.
 */
final class AgentClock implements InstantSource {

  private static final Logger log = LoggerFactory.getLogger(AgentClock.class);
  private static final String FILE = "clock";
  private static final long READ_AFTER_NANOS = Duration.ofMillis(500).toNanos();

  /** The ticker stands still while the machine sleeps; less than this is the uptime's grain. */
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

  /** Without it a later process takes the time of day anew, which is no reason not to start. */
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

  /** What an earlier process since the same start of the machine took, or else the fresh one. */
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
