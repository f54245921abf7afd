package dev.belay.agent.process;

import dev.belay.domain.id.SessionId;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends all tasks when the agent dies or closes it (supervisor.sh). */
final class Supervisor extends KeptProcess {

  private static final Logger log = LoggerFactory.getLogger(Supervisor.class);

  static final String NAME = "belay-supervisor";

  /** A second one, in case the first is killed together with the agent. */
  static final String DEPUTY = "belay-deputy";

  private final Set<Long> groups = new LinkedHashSet<>();

  Supervisor(String setsid, String name, SessionId session, Executor background) {
    super(new Script(setsid, "supervisor.sh", name), session.toString(), background);
  }

  /**
   * Waits for the supervisors and lease watches of earlier sessions: while one exists, it may still
   * have processes to end.
   *
   * @return whether all have ended
   */
  static boolean awaitEnd(Set<SessionId> over, Duration atMost, Duration between) {
    for (Duration waited = Duration.ZERO; ; waited = waited.plus(between)) {
      if (!isThere(over)) {
        return true;
      }
      if (waited.compareTo(atMost) >= 0) {
        return false;
      }
      try {
        Thread.sleep(between);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  private static boolean isThere(Set<SessionId> sessions) {
    return Cookies.anyProcess(
        "cmdline",
        command ->
            sessions.stream()
                .anyMatch(
                    id ->
                        command.endsWith("\0" + NAME + "\0" + id + "\0")
                            || command.endsWith("\0" + DEPUTY + "\0" + id + "\0")
                            || command.endsWith(LeaseWatch.PREFIX + id + "\0")));
  }

  /** After this the group does not outlive the agent. A failure registers nothing. */
  synchronized void register(long group) throws IOException {
    groups.add(group);
    boolean told = false;
    try {
      tell("+ " + group + "\n");
      told = true;
    } finally {
      if (!told) {
        groups.remove(group);
      }
    }
  }

  synchronized void forget(long group) {
    groups.remove(group);
    try {
      tell("- " + group + "\n");
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("group", group).log("supervisor cannot be told");
    }
  }

  @Override
  String firstWords() {
    StringBuilder lines = new StringBuilder();
    groups.forEach(group -> lines.append("+ ").append(group).append('\n'));
    return lines.toString();
  }
}
