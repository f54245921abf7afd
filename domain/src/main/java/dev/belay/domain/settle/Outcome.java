package dev.belay.domain.settle;

import java.time.Duration;

/** How an attempt ended, as far as is known. */
public sealed interface Outcome {

  /** An outcome that the worker observed. The others never began there, or are unknown. */
  sealed interface Reported extends Outcome {}

  default boolean isSuccess() {
    return this instanceof Exited exited && exited.code() == 0;
  }

  /**
   * @param signal 0 unless a signal ended the process; then code is 128 + signal
   * @param outOfMemory the kernel killed it for lack of memory
   */
  record Exited(int code, int signal, boolean outOfMemory) implements Reported {
    public Exited(int code, int signal) {
      this(code, signal, false);
    }

    /**
     * Java reports death by signal n as exit code 128 + n, which a program can also return itself.
     * Shells use the same convention, so Belay reads it as a signal.
     */
    public static Exited of(int code) {
      return new Exited(code, code > 128 && code <= 192 ? code - 128 : 0);
    }
  }

  /** The worker stopped it at its execution timeout. */
  record TimedOut(Duration limit) implements Reported {}

  /**
   * The worker stopped it because it showed no sign of life.
   *
   * @param limit how long it was allowed to be silent
   */
  record Stalled(Duration limit) implements Reported {}

  /** The worker stopped it on request, or because the worker shuts down. */
  record Aborted(String reason) implements Reported {}

  /** No process was created. */
  record StartFailed(String message) implements Reported {}

  /** The worker declined to run it. */
  record Refused(String reason) implements Outcome {

    /** How the reason of a worker begins that cannot start any process now. */
    public static final String NO_RESOURCES = "no resources";

    /**
     * The worker's executor is down: it lacks files, memory, threads or disk. A worker that is full
     * or drains is not meant, and neither is a command that cannot start.
     */
    public boolean isExecutorDown() {
      return reason.startsWith(NO_RESOURCES);
    }
  }

  /**
   * No outcome will arrive: the worker restarted, fell silent or was removed.
   *
   * @param mayRunOn how long the attempt may still run somewhere; zero when it is known to be over
   */
  record Lost(String reason, Duration mayRunOn) implements Outcome {}
}
