package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.belay.domain.id.SessionId;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process outside the agent that ends all tasks when the agent dies (supervisor.sh).
 *
 * <p>When it dies itself, another one takes over at once with the live groups; tasks do not notice.
 */
final class Supervisor implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Supervisor.class);

  static final String NAME = "belay-supervisor";

  /** A second one, for the case that the first is killed together with the agent. */
  static final String DEPUTY = "belay-deputy";

  private final Script script;
  private final SessionId session;
  private final Executor background;
  private final Set<Long> groups = new LinkedHashSet<>();
  private @Nullable Process process;
  private boolean closed;

  Supervisor(String setsid, String name, SessionId session, Executor background) {
    this.script = new Script(setsid, "supervisor.sh", name);
    this.session = session;
    this.background = background;
  }

  /**
   * Waits for the supervisors of sessions that are over, and for those who watched their leases:
   * while one is there, it may still have something to end.
   *
   * @return whether all are gone
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

  /** After this the group does not outlive the agent; after a failure it is not known here. */
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

  synchronized void start() throws IOException {
    if (!closed && (process == null || !process.isAlive())) {
      Process fresh = script.start(session.toString());
      process = fresh;
      send(fresh, allGroups());
      var _ = fresh.onExit().thenAcceptAsync(this::replace, background);
    }
  }

  /** The pid of the present supervisor. */
  synchronized long pid() {
    return Objects.requireNonNull(process, "not started").pid();
  }

  /** Ends whatever is still registered, and the supervisor. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (process != null) {
      process.getOutputStream().close();
    }
  }

  private void tell(String line) throws IOException {
    if (closed) {
      throw new IOException("the agent's supervisor is closed");
    }
    Process current = process;
    if (current != null && current.isAlive()) {
      try {
        send(current, line);
        return;
      } catch (IOException broken) {
        log.atWarn().setCause(broken).log("supervisor does not listen");
        current.destroyForcibly();
        process = null;
      }
    }
    // The fresh one is told all groups, this line's effect included.
    start();
  }

  private synchronized void replace(Process dead) {
    if (closed || !dead.equals(process)) {
      return;
    }
    log.atWarn()
        .addKeyValue("pid", dead.pid())
        .addKeyValue("name", script.name())
        .addKeyValue("code", dead.exitValue())
        .log("supervisor died; starting another");
    try {
      start();
    } catch (IOException e) {
      // The next task's registration tries again, and no task starts without it.
      log.atError().setCause(e).log("no supervisor: tasks would outlive a killed agent");
    }
  }

  private String allGroups() {
    StringBuilder lines = new StringBuilder();
    groups.forEach(group -> lines.append("+ ").append(group).append('\n'));
    return lines.toString();
  }

  private static void send(Process to, String lines) throws IOException {
    to.getOutputStream().write(lines.getBytes(US_ASCII));
    to.getOutputStream().flush();
  }
}
