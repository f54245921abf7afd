package dev.belay.domain.id;

import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * UUIDv7 ids that increase with each call in this process, so tasks of equal priority start in the
 * order of their submission. Thread-safe.
 */
public final class OrderedIds implements Ids {

  private static final int COUNTER_BITS = 12;

  private final InstantSource clock;
  private final RandomGenerator random;

  /** Milliseconds and a counter within the millisecond, packed into one number. */
  private long last;

  public OrderedIds(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  @Override
  public UUID next() {
    long now = clock.millis() << COUNTER_BITS;
    long position;
    synchronized (this) {
      last = Math.max(last + 1, now);
      position = last;
    }
    return Ids.v7(position >>> COUNTER_BITS, position & 0x0FFFL, random.nextLong());
  }
}
