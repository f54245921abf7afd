package dev.belay.domain.id;

import java.util.UUID;

/** Source of new ids. Injected, so that a simulation is reproducible. */
@FunctionalInterface
public interface Ids {
  UUID next();

  /** UUIDv7: 48 bits of Unix milliseconds, then random bits, so that new rows sort last. */
  static UUID v7(long unixMillis, long randomHigh, long randomLow) {
    long high = (unixMillis << 16) | 0x7000L | (randomHigh & 0x0FFFL);
    long low = 0x8000000000000000L | (randomLow & 0x3FFFFFFFFFFFFFFFL);
    return new UUID(high, low);
  }
}
