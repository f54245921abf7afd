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
 * Ends strict dispatches when their lease is over (leases.sh). It is there from the first lease on,
 * and sleeps while there is none.
 *
 * <p>It looks every 0.4 s, so that an end comes at most 0.5 s late; the margin of a lease covers
 * that many times over.
 */
final class LeaseWatch extends KeptProcess {

  private static final Logger log = LoggerFactory.getLogger(LeaseWatch.class);
  static final String PREFIX = "leases-";

  /** What /proc/uptime counts in. */
  static final long NANOS_PER_UNIT = 10_000_000;

  private static final String WAKE = "\n";

  private final Room room;
  private final Path file;
  private final Map<DispatchId, Leased> leases = new LinkedHashMap<>();

  /** What of a dispatch may live until then, by /proc/uptime: a group, and those that left it. */
  record Leased(DispatchId dispatch, long group, long untilNanos) {
    /** In the place of a group that is over, whose number may go to a stranger. */
    static final long NO_GROUP = 0;
  }

  /**
   * @param room asked when the disk is full
   */
  LeaseWatch(String setsid, Path folder, SessionId session, Executor background, Room room) {
    this(setsid, folder.resolve(PREFIX + session), background, room);
  }

  private LeaseWatch(String setsid, Path file, Executor background, Room room) {
    super(new Script(setsid, "leases.sh", "belay-leases"), file.toString(), background);
    this.file = file;
    this.room = room;
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
    if (isClosed()) {
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
