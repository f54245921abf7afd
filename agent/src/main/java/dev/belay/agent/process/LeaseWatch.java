package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.belay.agent.state.PrivateFile;
import dev.belay.agent.state.Room;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process outside the agent that ends strict dispatches when their lease is over (leases.sh).
 * It is there from the first lease on, and sleeps while there is none.
 *
 * <p>It looks every 0.4 s, so that an end comes at most 0.5 s late; the margin of a lease covers
 * that many times over. When it dies, another one takes over with the same file.
 */
final class LeaseWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LeaseWatch.class);
  static final String PREFIX = "leases-";

  /** What /proc/uptime counts in. */
  static final long NANOS_PER_UNIT = 10_000_000;

  private final Script script;
  private final Executor background;
  private final Room room;
  private final Path file;
  private final Map<DispatchId, Leased> leases = new LinkedHashMap<>();
  private @Nullable Process process;
  private boolean closed;

  /** What of a dispatch may live until then, by /proc/uptime: a group, and those that left it. */
  record Leased(DispatchId dispatch, long group, long untilNanos) {
    /** In the place of a group that is over, whose number may go to a stranger. */
    static final long NO_GROUP = 0;
  }

  /**
   * @param room asked when the disk is full
   */
  LeaseWatch(String setsid, Path folder, SessionId session, Executor background, Room room) {
    this.room = room;
    this.script = new Script(setsid, "leases.sh", "belay-leases");
    this.background = background;
    this.file = folder.resolve(PREFIX + session);
  }

  /** Of earlier sessions; whoever still reads one ends with it. */
  static void removeLeftovers(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path left : files) {
        Files.deleteIfExists(left);
      }
    }
  }

  /** After this they do not outlive their lease; after a failure they have the lease they had. */
  synchronized void extend(Collection<Leased> more) throws IOException {
    if (closed) {
      throw new IOException("the agent's watch over leases is closed");
    }
    Map<DispatchId, Leased> all = new LinkedHashMap<>(leases);
    more.forEach(leased -> all.put(leased.dispatch(), leased));
    start();
    try {
      write(all.values());
    } catch (IOException e) {
      if (!room.make(e)) {
        throw e;
      }
      write(all.values());
    }
    boolean woken = leases.isEmpty();
    leases.putAll(all);
    if (woken) {
      wake();
    }
  }

  /** Only those that left it may still be there. */
  synchronized void groupEnded(DispatchId dispatch) {
    Leased before = leases.get(dispatch);
    if (before != null) {
      leases.put(dispatch, new Leased(dispatch, Leased.NO_GROUP, before.untilNanos()));
      rewrite();
    }
  }

  synchronized void forget(DispatchId dispatch) {
    if (leases.remove(dispatch) != null) {
      rewrite();
    }
  }

  private void rewrite() {
    if (closed) {
      return;
    }
    try {
      write(leases.values());
    } catch (IOException e) {
      // With the next change it goes; until then its end finds nothing to end.
      log.atWarn().setCause(e).log("leases cannot be written");
    }
  }

  /** Whoever is still leased is ended by the supervisor. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    Files.deleteIfExists(file);
    if (process != null) {
      process.getOutputStream().close();
    }
  }

  /** The pid of the present watch. */
  synchronized long pid() {
    return process == null ? 0 : process.pid();
  }

  private void start() throws IOException {
    if (process != null && process.isAlive()) {
      return;
    }
    Process fresh = script.start(file.toString());
    process = fresh;
    var _ = fresh.onExit().thenAcceptAsync(this::replace, background);
    if (!leases.isEmpty()) {
      wake();
    }
  }

  private void wake() throws IOException {
    if (process != null) {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }
  }

  private synchronized void replace(Process dead) {
    if (closed || !dead.equals(process)) {
      return;
    }
    log.atWarn()
        .addKeyValue("pid", dead.pid())
        .addKeyValue("code", dead.exitValue())
        .log("watch over leases died; starting another");
    try {
      start();
    } catch (IOException e) {
      // The next lease tries again, and nothing strict starts without it.
      log.atError().setCause(e).log("no watch over leases: a frozen agent would outlive them");
    }
  }

  private void write(Collection<Leased> all) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Leased leased : all) {
      lines
          .append(leased.group())
          .append(' ')
          .append(leased.untilNanos() / NANOS_PER_UNIT)
          .append(' ')
          .append(leased.dispatch())
          .append('\n');
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (var out = PrivateFile.open(fresh, CREATE, WRITE, TRUNCATE_EXISTING)) {
      ByteBuffer rest = ByteBuffer.wrap(lines.toString().getBytes(US_ASCII));
      while (rest.hasRemaining()) {
        out.write(rest);
      }
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
