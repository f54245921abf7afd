package dev.belay.cli.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Identifies one process of this machine, even after its end.
 *
 * @param startedAt distinguishes it from a later process with the same id
 */
public record OsProcess(long pid, Instant startedAt) {

  /** The current state of a process. */
  public enum State {
    RUNNING,
    /** Stopped by SIGSTOP. */
    FROZEN,
    ENDED
  }

  /** The kernel counts from the boot, whose time shifts a little when the clock is set. */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  public static OsProcess of(ProcessHandle process, InstantSource clock) {
    return new OsProcess(process.pid(), process.info().startInstant().orElseGet(clock::instant));
  }

  public boolean isLive() {
    return state() != State.ENDED;
  }

  public State state() {
    if (ProcessHandle.of(pid).filter(process -> isSame(process.info())).isEmpty()) {
      return State.ENDED;
    }
    return switch (letter()) {
      case 'Z', 'X' -> State.ENDED;
      case 'T', 't' -> State.FROZEN;
      default -> State.RUNNING;
    };
  }

  /** A process without a readable start time counts as the same. */
  private boolean isSame(ProcessHandle.Info process) {
    return process
        .startInstant()
        .map(start -> Duration.between(start, startedAt).abs().compareTo(START_TOLERANCE) <= 0)
        .orElse(true);
  }

  /** The kernel's letter for its state; a zombie is in the process table, too. */
  private char letter() {
    try {
      String stat =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
      // pid (name) state: the name may contain anything.
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException | IndexOutOfBoundsException notLinuxOrGone) {
      return Files.isDirectory(Path.of("/proc/self")) ? 'X' : 'R';
    }
  }

  /**
   * Whether the user who wrote this file also runs the process, or is root. Anybody can put a file
   * into a shared folder; that must not end the processes of others.
   */
  public boolean isOfOwner(Path file) {
    Path process = Path.of("/proc", Long.toString(pid));
    try {
      Object owner = Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      return owner.equals(0) || owner.equals(Files.getAttribute(process, "unix:uid"));
    } catch (IOException | UnsupportedOperationException notLinuxOrGone) {
      return !Files.isDirectory(Path.of("/proc/self"));
    }
  }

  /** Sends SIGTERM; a frozen process gets it when it wakes up. */
  public void askToEnd() {
    if (isLive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }
  }

  /** Sends SIGKILL. */
  public void kill() {
    if (isLive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
