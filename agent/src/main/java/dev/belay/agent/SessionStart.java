package dev.belay.agent;

import dev.belay.agent.state.AgentFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;

/**
 * When a session began: later than every earlier session of the folder, also when the clock was set
 * back, because the server takes the later one for the living one.
 */
final class SessionStart {
  private SessionStart() {}

  static Instant next(AgentFolder folder, Instant now) throws IOException {
    Path file = folder.path().resolve("session-start");
    long start = Math.max(now.toEpochMilli(), last(file) + 1);
    Path fresh = folder.path().resolve("session-start.new");
    Files.writeString(fresh, start + "\n");
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    return Instant.ofEpochMilli(start);
  }

  /** A damaged file costs only the protection against a clock that was set back. */
  private static long last(Path file) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (NumberFormatException damaged) {
      return 0;
    }
  }
}
