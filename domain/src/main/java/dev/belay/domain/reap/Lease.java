package dev.belay.domain.reap;

import java.time.Duration;

/**
 * How long a strict attempt may run without a heartbeat of its worker.
 *
 * @param length counted from when the last heartbeat that the server saw was sent, or written
 * @param margin the worker ends the attempt this long before the lease is over; the server starts
 *     the next one this long after it, plus 1 % of the lease for clock drift
 */
public record Lease(Duration length, Duration margin) {

  public static final Lease DEFAULT = new Lease(Duration.ofSeconds(60), Duration.ofSeconds(5));

  public Lease {
    if (!margin.isPositive() || length.compareTo(margin.multipliedBy(2)) <= 0) {
      throw new IllegalArgumentException(
          "a lease (%s) must be longer than twice its margin (%s)".formatted(length, margin));
    }
  }

  /** When the worker's side has ended the attempt, counted from sending the heartbeat. */
  public Duration endsAfter() {
    return length.minus(margin);
  }

  /** When the server may start the next attempt, counted from writing the heartbeat. */
  public Duration isOverAfter() {
    return length.plus(length.dividedBy(100)).plus(margin);
  }
}
