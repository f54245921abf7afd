package dev.belay.domain.reap;

import java.time.Duration;

/**
 * How long a strict attempt may run without a sign of its worker.
 *
 * @param length counted from when the worker's last heartbeat that was seen was sent, or written
 * @param margin the attempt is over this long before the lease is; its successor starts this long
 *     after it, and 1 % of the lease more, for clocks that run apart
 */
public record Lease(Duration length, Duration margin) {

  public static final Lease DEFAULT = new Lease(Duration.ofSeconds(60), Duration.ofSeconds(5));

  public Lease {
    if (!margin.isPositive() || length.compareTo(margin.multipliedBy(2)) <= 0) {
      throw new IllegalArgumentException(
          "a lease (%s) must be longer than twice its margin (%s)".formatted(length, margin));
    }
  }

  /** When the worker's side has ended the attempt, counted from the heartbeat's sending. */
  public Duration endsAfter() {
    return length.minus(margin);
  }

  /** When the server may start the next one, counted from the heartbeat's writing. */
  public Duration isOverAfter() {
    return length.plus(length.dividedBy(100)).plus(margin);
  }
}
