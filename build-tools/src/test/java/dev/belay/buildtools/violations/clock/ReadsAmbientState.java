package dev.belay.buildtools.violations.clock;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** One method for each way to read the clock or randomness that was not passed in. */
public final class ReadsAmbientState {
  public Instant now() {
    return Instant.now();
  }

  public ZonedDateTime zoned(ZoneId zone) {
    return ZonedDateTime.now(zone);
  }

  public Supplier<Instant> reference() {
    return Instant::now;
  }

  public long millis() {
    return System.currentTimeMillis();
  }

  public long nanos() {
    return System.nanoTime();
  }

  public Clock clock() {
    return Clock.systemUTC();
  }

  public UUID uuid() {
    return UUID.randomUUID();
  }

  public double chance() {
    return Math.random();
  }

  public ThreadLocalRandom threadRandom() {
    return ThreadLocalRandom.current();
  }

  public Random random() {
    return new Random();
  }

  /** Allowed: the clock is passed in. */
  public Instant given(Clock clock) {
    return Instant.now(clock);
  }

  /** Allowed: the seed is passed in. */
  public Random seeded(long seed) {
    return new Random(seed);
  }
}
