package dev.belay.domain.settle;

import java.time.Duration;

/** How an attempt ended, as far as anybody knows. */
public sealed interface Outcome {

  /** The worker says how it ended; else it did not begin there, or nobody knows. */
  default boolean isReported() {
    return switch (this) {
      case Exited _, TimedOut _, Aborted _, StartFailed _ -> true;
      case Refused _, Lost _ -> false;
    };
  }

  default boolean isSuccess() {
    return this instanceof Exited exited && exited.code() == 0;
  }

  /**
   * @param signal 0 unless a signal ended the process; then code is 128 + signal
   * @param outOfMemory the kernel needed the memory
   */
  record Exited(int code, int signal, boolean outOfMemory) implements Outcome {
    public Exited(int code, int signal) {
      this(code, signal, false);
    }
  }

  /** The worker stopped it at its execution timeout. */
  record TimedOut(Duration limit) implements Outcome {}

  /** The worker stopped it because it was asked to, or because it is stopping itself. */
  record Aborted(String reason) implements Outcome {}

  /** No process came to be. */
  record StartFailed(String message) implements Outcome {}

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
