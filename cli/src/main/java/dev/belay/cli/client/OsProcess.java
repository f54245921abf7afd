package dev.belay.cli.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * One process of this machine, for ever.
 *
 * @param startedAt because its id may belong to another process by now
 */
public record OsProcess(long pid, Instant startedAt) {

  /** How a process is now. */
  public enum State {
    RUNNING,
    /** By SIGSTOP. */
    FROZEN,
    GONE
  }

  /** The kernel counts from the boot, whose time changes a little when the clock is set. */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  public static OsProcess of(ProcessHandle process, InstantSource clock) {
    return new OsProcess(process.pid(), process.info().startInstant().orElseGet(clock::instant));
  }

  public boolean isLive() {
    return state() != State.GONE;
  }

  public State state() {
    if (ProcessHandle.of(pid).filter(process -> isSame(process.info())).isEmpty()) {
      return State.GONE;
    }
    return switch (letter()) {
      case 'Z', 'X' -> State.GONE;
      case 'T', 't' -> State.FROZEN;
      default -> State.RUNNING;
    };
  }

  /** A process whose start cannot be seen is believed. */
  private boolean isSame(ProcessHandle.Info process) {
    return process
        .startInstant()
        .map(start -> Duration.between(start, startedAt).abs().compareTo(START_TOLERANCE) <= 0)
        .orElse(true);
  }

  /** The kernel's word for its state; a zombie is in the process table, too. */
  private char letter() {
    try {
      String stat =
          Files.readString(
              Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
      // pid (name) state: the name may hold anything
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException | IndexOutOfBoundsException notLinuxOrGone) {
      return Files.isDirectory(Path.of("/proc/self")) ? 'X' : 'R';
    }
  }

  /** SIGTERM; a frozen process hears it when it is woken. */
  public void askToEnd() {
    if (isLive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }
  }

  /** SIGKILL. */
  public void kill() {
    if (isLive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
