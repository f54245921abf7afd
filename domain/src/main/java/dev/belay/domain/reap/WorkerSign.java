package dev.belay.domain.reap;

import java.time.Duration;

/**
 * What is known about a worker, by the database's clock.
 *
 * @param sinceSeen since its last heartbeat or hello was written
 * @param sinceConnected since its last hello
 * @param silence the part of {@code sinceSeen} in which some replica could have written another
 *     heartbeat
 * @param listened since its last sign or the end of its connection, the total time in which some
 *     replica could write; gaps and elections do not reset it
 * @param watched what the judging leader observed
 */
public record WorkerSign(
    Link link,
    Duration sinceSeen,
    Duration sinceConnected,
    Duration silence,
    Duration listened,
    Watched watched) {

  public WorkerSign with(Watched other) {
    return new WorkerSign(link, sinceSeen, sinceConnected, silence, listened, other);
  }

  /**
   * Measured by a monotonic clock.
   *
   * @param still how long there was no sign of it
   * @param lively how long it was never silent for long, while our observations were reliable
   */
  public record Watched(Duration still, Duration lively) {
    public static final Watched NEVER = new Watched(Duration.ZERO, Duration.ZERO);
  }

  /** State of its connection. */
  public sealed interface Link {

    /** Open, as far as its replica knows. */
    record Open() implements Link {}

    /** Ended by the server's side, or by a worker that continues to live. */
    record Left() implements Link {}

    /** Closed by the worker's side, as when its process dies. */
    record Closed(Duration since) implements Link {}
  }

  public boolean isOpen() {
    return link instanceof Link.Open;
  }

  public boolean isClosed() {
    return link instanceof Link.Closed;
  }
}
