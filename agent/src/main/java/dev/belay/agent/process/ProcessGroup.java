package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process group (and session) of one task, led by the task's main process.
 *
 * <p>Why a signal never hits a stranger: the kernel reuses no number that is still a pid or the id
 * of a group. Until the leader is reaped, the number is ours. Afterwards a process with that number
 * would be a new one; if there is none and the group still has members, our leader left them.
 */
final class ProcessGroup {

  private static final Logger log = LoggerFactory.getLogger(ProcessGroup.class);

  private static final int STATE = 0;
  private static final int GROUP = 2;
  private static final int THREADS = 17;
  private static final String ZOMBIE = "Z";

  private final Process leader;

  /** A member that was alive at the last check, so most checks need not read all of /proc. */
  private long witness;

  ProcessGroup(Process leader) {
    this.leader = leader;
  }

  Process leader() {
    return leader;
  }

  long id() {
    return leader.pid();
  }

  /**
   * Whether the leader runs. One that has exited and is not reaped yet does not: an agent that was
   * frozen or slow may reap it late, but its exit is its end.
   */
  boolean leaderRuns() {
    if (!leader.isAlive()) {
      return false;
    }
    try {
      String[] fields = stat(Path.of("/proc", Long.toString(id())));
      // A main thread that has ended looks like a zombie, too, while other threads still run.
      return !fields[STATE].equals(ZOMBIE) || Integer.parseInt(fields[THREADS]) > 1;
    } catch (IOException gone) {
      return leader.isAlive();
    }
  }

  /** Signals every member while the leader lives. */
  void signal(int signal) {
    if (!leader.isAlive()) {
      return;
    }
    if (!Libc.kill(-id(), signal)) {
      // Forked but not yet in its own session: only the leader exists.
      Libc.kill(id(), signal);
    }
  }

  /** Whether the reaped leader left living processes in its group; true if in doubt. */
  synchronized boolean hasRest() {
    if (!leftBehind()) {
      return false;
    }
    try {
      if (witness == 0 || !isMember(Path.of("/proc", Long.toString(witness)))) {
        witness = findMember();
      }
      return witness != 0;
    } catch (IOException | DirectoryIteratorException e) {
      log.atWarn().setCause(e).addKeyValue("group", id()).log("cannot read /proc");
      return true;
    }
  }

  /** Kills the processes that the reaped leader left in its group. */
  void killRest() {
    if (leftBehind()) {
      Libc.kill(-id(), Libc.SIGKILL);
    }
  }

  private boolean leftBehind() {
    return Libc.kill(-id(), 0) && !Libc.kill(id(), 0);
  }

  private long findMember() throws IOException {
    try (DirectoryStream<Path> members =
        Files.newDirectoryStream(
            Path.of("/proc"), entry -> Cookies.isNumber(name(entry)) && isMember(entry))) {
      for (Path member : members) {
        return Long.parseLong(name(member));
      }
      return 0;
    }
  }

  /** A zombie does not count: where no process reaps orphans, it would stay. */
  private boolean isMember(Path process) {
    try {
      String[] fields = stat(process);
      return !fields[STATE].equals(ZOMBIE) && fields[GROUP].equals(Long.toString(id()));
    } catch (IOException gone) {
      return false;
    }
  }

  /** The fields after the name, which may contain anything. */
  private static String[] stat(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"), ISO_8859_1);
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", THREADS + 2);
  }

  private static String name(Path process) {
    return process.getFileName().toString();
  }
}
