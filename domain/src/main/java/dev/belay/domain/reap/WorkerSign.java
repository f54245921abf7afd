package dev.belay.domain.reap;

import java.time.Duration;

/**
 * What is known of a worker, by the database's clock.
 *
 * @param sinceSeen since its last report or hello was written
 * @param silence of this, how long somebody was there who would have written another one
 */
public record WorkerSign(Link link, Duration sinceSeen, Duration silence) {

  /** Its connection. */
  public sealed interface Link {

    /** As far as its replica knows. */
    record Open() implements Link {}

    /** Ended by the server's side, or by a worker that went on living. */
    record Left() implements Link {}

    /** Closed by the worker's side, as by the death of its process. */
    record Gone(Duration since) implements Link {}
  }

  public boolean isGone() {
    return link instanceof Link.Gone;
  }
}
