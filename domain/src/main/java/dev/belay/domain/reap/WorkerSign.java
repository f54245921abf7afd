package dev.belay.domain.reap;

import java.time.Duration;

/**
 * What is known of a worker, by the database's clock.
 *
 * @param sinceSeen since its last report or hello was written
 * @param sinceConnected since its last hello
 * @param silence of the time since it was seen, how long somebody was there who would have written
 *     another report
 * @param watched since when the one who judges has seen no sign of it, by a clock that nobody sets
 */
public record WorkerSign(
    Link link, Duration sinceSeen, Duration sinceConnected, Duration silence, Duration watched) {

  public WorkerSign withWatched(Duration time) {
    return new WorkerSign(link, sinceSeen, sinceConnected, silence, time);
  }

  /** Its connection. */
  public sealed interface Link {

    /** As far as its replica knows. */
    record Open() implements Link {}

    /** Ended by the server's side, or by a worker that went on living. */
    record Left() implements Link {}

    /** Closed by the worker's side, as by the death of its process. */
    record Gone(Duration since) implements Link {}
  }

  public boolean isOpen() {
    return link instanceof Link.Open;
  }

  public boolean isGone() {
    return link instanceof Link.Gone;
  }
}
