package dev.belay.agent.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.WorkerId;
import dev.belay.session.wire.WorkerKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state folder of one agent, locked until it is closed or the process ends. */
public final class AgentFolder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AgentFolder.class);

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private static final Set<PosixFilePermission> OWNER_FILE =
      PosixFilePermissions.fromString("rw-------");

  /** Other users can pass through to paths they know, and cannot list the folder. */
  private static final Set<PosixFilePermission> PASSAGE =
      PosixFilePermissions.fromString("rwx--x--x");

  /**
   * POSIX drops a process's lock when any descriptor of the file closes, so a second open in this
   * JVM must be refused before it touches the file.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;
  private final IdentityFiles files;
  private final IdentityFiles.Identity identity;

  private AgentFolder(
      Path path, FileChannel lock, IdentityFiles files, IdentityFiles.Identity identity) {
    this.path = path;
    this.lock = lock;
    this.files = files;
    this.identity = identity;
  }

  /** The result of opening a folder. */
  public sealed interface Opening {}

  public record Opened(AgentFolder folder) implements Opening {}

  /** Another process uses it. {@code pid} is what that process wrote; empty if unreadable. */
  public record InUse(Path path, String pid) implements Opening {
    public String message() {
      return "the agent folder "
          + path
          + " is in use by process "
          + (pid.isEmpty() ? "(unknown)" : pid)
          + "; stop that agent or choose another folder";
    }
  }

  /** Opens it without a reserve. */
  public static Opening open(Path wanted, Ids ids, RandomGenerator random) throws IOException {
    return open(wanted, ids, random, new ReserveSettings(0, 0, 0));
  }

  /**
   * Creates the folder (0700), the worker id and the key if they are missing, and takes the lock.
   * On a full disk it first frees the reserve of an earlier agent.
   *
   * @param random makes the key; must be unpredictable
   */
  public static Opening open(Path wanted, Ids ids, RandomGenerator random, ReserveSettings reserve)
      throws IOException {
    Files.createDirectories(wanted, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    Path path = wanted.toRealPath();
    if (!HELD_HERE.add(path)) {
      return new InUse(path, Long.toString(ProcessHandle.current().pid()));
    }
    boolean opened = false;
    try {
      FileChannel lock = PrivateFile.open(path.resolve("lock"), CREATE, READ, WRITE);
      try {
        if (lock.tryLock() == null) {
          return new InUse(path, readPid(lock));
        }
        Reserve.releaseLeftover(path, reserve);
        writePid(lock);
        Files.setPosixFilePermissions(path, OWNER_ONLY);
        var files = new IdentityFiles(path);
        AgentFolder folder = new AgentFolder(path, lock, files, files.open(ids, random));
        for (Path own : List.of(folder.work(), folder.logs())) {
          Files.createDirectories(own);
          Files.setPosixFilePermissions(own, OWNER_ONLY);
        }
        opened = true;
        return new Opened(folder);
      } finally {
        if (!opened) {
          lock.close();
        }
      }
    } finally {
      if (!opened) {
        HELD_HERE.remove(path);
      }
    }
  }

  /** Lets the tasks' user pass through to the work folders; the rest stays closed to it. */
  public void letThrough() throws IOException {
    try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
      for (Path child : children) {
        if (Files.isRegularFile(child, LinkOption.NOFOLLOW_LINKS)) {
          Files.setPosixFilePermissions(child, OWNER_FILE);
        } else if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS) && !child.equals(work())) {
          Files.setPosixFilePermissions(child, OWNER_ONLY);
        }
      }
    }
    Files.setPosixFilePermissions(path, PASSAGE);
    Files.setPosixFilePermissions(work(), PASSAGE);
  }

  public Path path() {
    return path;
  }

  /** Stable over restarts. */
  public WorkerId worker() {
    return identity.worker();
  }

  /** Proves to the server that this is the worker. */
  public WorkerKey key() {
    return identity.key();
  }

  /** No process has used this worker id before, so it can have lost nothing. */
  public boolean isNew() {
    return identity.isNew();
  }

  /** Counts this process start and returns its number. */
  public long nextSessionNumber() throws IOException {
    return files.nextNumber();
  }

  /** Takes the server's count, which is higher than this folder's. */
  public void sessionNumber(long number) throws IOException {
    files.number(number);
  }

  /** One private folder for each running dispatch. */
  public Path work() {
    return path.resolve("work");
  }

  /** One file for each dispatch whose log the server does not have yet. */
  public Path logs() {
    return path.resolve("logs");
  }

  public Path journal() {
    return path.resolve("journal.ndjson");
  }

  @Override
  public void close() throws IOException {
    if (lock.isOpen()) {
      lock.close();
      HELD_HERE.remove(path);
    }
  }

  private static String readPid(FileChannel lock) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(20);
    lock.read(text, 0);
    return new String(text.array(), 0, text.position(), UTF_8).strip();
  }

  /** Only for people, so a full disk must not prevent the start. */
  private static void writePid(FileChannel lock) {
    try {
      lock.truncate(0);
      lock.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(UTF_8)), 0);
    } catch (IOException e) {
      log.atWarn().addKeyValue("cause", e).log("the pid cannot be written into the lock file");
    }
  }
}
