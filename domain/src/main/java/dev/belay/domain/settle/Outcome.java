package dev.belay.domain.settle;

import java.time.Duration;

/** How an attempt ended, as far as anybody knows. */
public sealed interface Outcome {

  /** The worker says how it ended; else it did not begin there, or nobody knows. */
  sealed interface Reported extends Outcome {}

  default boolean isSuccess() {
    return this instanceof Exited exited && exited.code() == 0;
  }

  /**
   * @param signal 0 unless a signal ended the process; then code is 128 + signal
   * @param outOfMemory the kernel needed the memory
   */
  record Exited(int code, int signal, boolean outOfMemory) implements Reported {
    public Exited(int code, int signal) {
      this(code, signal, false);
    }

    /**
     * Java tells the death by signal n as exit code 128 + n and cannot tell it from a program that
     * exits with that number itself; shells do the same on purpose, so it is read as a signal.
     */
    public static Exited of(int code) {
      return new Exited(code, code > 128 && code <= 192 ? code - 128 : 0);
    }
  }

  /** The worker stopped it at its execution timeout. */
  record TimedOut(Duration limit) implements Reported {}

  /** The worker stopped it because it was asked to, or because it is stopping itself. */
  record Aborted(String reason) implements Reported {}

  /** No process came to be. */
  record StartFailed(String message) implements Reported {}

  /** The worker will not run it. */
  record Refused(String reason) implements Outcome {}

  /**
   * No outcome of it will ever arrive: the worker restarted, fell silent, is gone.
   *
   * @param mayRunOn how long the attempt may still go on somewhere; zero when it is known to be
   *     over
   */
  record Lost(String reason, Duration mayRunOn) implements Outcome {}
}
