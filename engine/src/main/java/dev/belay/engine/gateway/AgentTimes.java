package dev.belay.engine.gateway;

import dev.belay.session.gateway.Stamps;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Converts the times in the messages of one stream to the database's clock.
 *
 * <p>An agent stamps starts, ends and each sent message with its monotonic clock. Arrival here
 * minus the stamp is the offset of the two clocks plus the delay of the message. The smallest
 * difference of the stream serves as the offset, so a message that a network cut or a frozen
 * process held back for a minute is known to be a minute old. The clocks drift, so a difference
 * loses weight with its age. No time in a hello is used: it may be the first message of its stream,
 * and delayed. The agent reports the start of all that runs after the welcome.
 *
 * <p>One thread at a time.
 */
final class AgentTimes {

  /** Allows a drift of 100 ppm, twice that of a poor clock. */
  private static final long DRIFT_DIVISOR = 10_000;

  /** Bounds any stamp, because PostgreSQL's time range has a beginning. */
  private static final long AGE_MAX_MS = Duration.ofDays(36_500).toMillis();

  private static final long STAMP_MAX_MS = Long.MAX_VALUE / 4;

  private final DatabaseClock database;
  private boolean known;
  private long distance;
  private long knownAt;

  AgentTimes(DatabaseClock database) {
    this.database = database;
  }

  /** False until the database's time was read once. */
  boolean isKnown() {
    return database.at(0).isPresent();
  }

  /**
   * The times of a message. An unknown time is 0: the store then uses the time of its write.
   *
   * @param sent by the agent's clock
   * @param arrivedNanos by the monotonic clock of this process
   */
  Stamps of(long sent, long arrivedNanos) {
    long arrived = DatabaseClock.millis(arrivedNanos);
    boolean stamped = sent > 0 && sent < STAMP_MAX_MS;
    long delay = stamped ? delay(arrived, sent) : 0;
    OptionalLong now = database.at(arrived);
    return (stamp, last) -> {
      if (now.isEmpty() || stamp <= 0 || stamp >= STAMP_MAX_MS) {
        return 0;
      }
      long begun = stamped ? sent : last;
      long age = Math.clamp(begun - stamp, 0, AGE_MAX_MS) + Math.min(delay, AGE_MAX_MS);
      return Math.max(1, now.getAsLong() - age);
    };
  }

  /** Delay of the message beyond that of the fastest one. */
  private long delay(long arrived, long sent) {
    long difference = arrived - sent;
    long relaxed = distance + Math.max(0, arrived - knownAt) / DRIFT_DIVISOR;
    if (!known || difference <= relaxed) {
      known = true;
      distance = difference;
      knownAt = arrived;
      return 0;
    }
    return difference - relaxed;
  }
}
