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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends strict dispatches when their lease is over (leases.sh). It starts with the first lease and
 * sleeps while there is none.
 *
 * <p>It checks every 0.4 s, so an end is at most 0.5 s late. The margin of a lease is many times
 * that.
 */
final class LeaseWatch extends KeptProcess {

  private static final Logger log = LoggerFactory.getLogger(LeaseWatch.class);
  static final String PREFIX = "leases-";

  /** The unit of /proc/uptime. */
  static final long NANOS_PER_UNIT = 10_000_000;

  private static final String WAKE = "\n";

  private final Room room;
  private final Path file;
  private final Map<DispatchId, Leased> leases = new LinkedHashMap<>();

  /** A lease by /proc/uptime, for the dispatch's group and the processes that left it. */
  record Leased(DispatchId dispatch, long group, long untilNanos) {
    /** Replaces a group that is over, because the kernel may reuse its number. */
    static final long NO_GROUP = 0;
  }

  /**
   * @param room makes room when the disk is full
   */
  LeaseWatch(String setsid, Path folder, SessionId session, Executor background, Room room) {
    this(setsid, folder.resolve(PREFIX + session), background, room);
  }

  private LeaseWatch(String setsid, Path file, Executor background, Room room) {
    super(new Script(setsid, "leases.sh", "belay-leases"), file.toString(), background);
    this.file = file;
    this.room = room;
  }

  /** Deletes the files of earlier sessions. A watch that still reads one ends. */
  static void removeLeftovers(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path left : files) {
        Files.deleteIfExists(left);
      }
    }
  }

  /** After this they do not outlive their lease. After a failure they keep their old one. */
  synchronized void extend(Collection<Leased> more) throws IOException {
    Map<DispatchId, Leased> all = new LinkedHashMap<>(leases);
    more.forEach(leased -> all.put(leased.dispatch(), leased));
    start();
    room.write(() -> write(all.values()));
    boolean woken = leases.isEmpty();
    leases.putAll(all);
    if (woken) {
      tell(WAKE);
    }
  }

  /** From here on, only processes that left the group may still exist. */
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
    if (isClosed()) {
      return;
    }
    try {
      write(leases.values());
    } catch (IOException e) {
      // The next change removes it; until then the watch finds nothing to end.
      log.atWarn().setCause(e).log("leases cannot be written");
    }
  }

  /** The supervisor ends dispatches that still have a lease. */
  @Override
  public synchronized void close() throws IOException {
    super.close();
    Files.deleteIfExists(file);
  }

  @Override
  String firstWords() {
    return leases.isEmpty() ? "" : WAKE;
  }

  private Path write(Collection<Leased> all) throws IOException {
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
    return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
