package dev.belay.domain.reap;

import java.time.Duration;

/**
 * What is known of a worker, by the database's clock.
 *
 * @param sinceSeen since its last heartbeat or hello was written
 * @param sinceConnected since its last hello
 * @param silence of the time since it was seen, how long somebody was there who would have written
 *     another heartbeat
 * @param listened since its last sign or the end of its connection, how long there was a replica
 *     that could write, all such times together: gaps and elections do not make it begin anew
 * @param watched what the one who judges saw of it
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
   * By a clock that nobody sets.
   *
   * @param still since when there was no sign of it
   * @param lively since when it was never silent for long, of the time in which we trust our eyes
   */
  public record Watched(Duration still, Duration lively) {
    public static final Watched NEVER = new Watched(Duration.ZERO, Duration.ZERO);
  }

  /** Its connection. */
  public sealed interface Link {

    /** As far as its replica knows. */
    record Open() implements Link {}

    /** Ended by the server's side, or by a worker that went on living. */
    record Left() implements Link {}

    /** Closed by the worker's side, as by the death of its process. */
    record Closed(Duration since) implements Link {}
  }

  public boolean isOpen() {
    return link instanceof Link.Open;
  }

  public boolean isClosed() {
    return link instanceof Link.Closed;
  }
}
