package dev.belay.engine.gateway;

import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Finished;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Turns the times in the messages of one stream into the database's.
 *
 * <p>An agent stamps a start and an end, and each message as it sends it, by a clock of its own
 * that nobody sets. The difference between the arrival of a message here and its stamp is the
 * distance of the two clocks plus the time that the message took. The smallest difference of the
 * stream is taken for the distance: a message that a cut line or a frozen process held back for a
 * minute is known to be a minute old. Two clocks drift apart, so an earlier difference counts a
 * little less the older it is. A hello is too early to tell: it may be the first message of its
 * stream, and late. So no time in it is used; the agent tells the start of all that runs after the
 * welcome.
 *
 * <p>One thread at a time.
 */
final class AgentTimes {

  /** A drift of 100 millionths, twice that of a poor clock. */
  private static final long DRIFT_DIVISOR = 10_000;

  /** A stamp may say anything; PostgreSQL's time has a beginning. */
  private static final long AGE_MAX_MS = Duration.ofDays(36_500).toMillis();

  private static final long STAMP_MAX_MS = Long.MAX_VALUE / 4;

  private final DatabaseClock database;
  private boolean known;
  private long distance;
  private long knownAt;

  AgentTimes(DatabaseClock database) {
    this.database = database;
  }

  /** Until the database was heard, nobody can say when anything happened. */
  boolean isKnown() {
    return database.at(0).isPresent();
  }

  /**
   * The same message with the database's times. One that cannot be known is 0: the store then takes
   * its own time at the write.
   *
   * @param arrivedNanos by the monotonic clock of this process
   */
  AgentMessage translate(AgentMessage message, long arrivedNanos) {
    long arrived = DatabaseClock.millis(arrivedNanos);
    long sent = message.getSentAtMs();
    boolean stamped = sent > 0 && sent < STAMP_MAX_MS;
    long delay = stamped ? delay(arrived, sent) : 0;
    OptionalLong now = database.at(arrived);
    return switch (message.getKindCase()) {
      case STARTED -> {
        var started = message.getStarted();
        var times = new Times(now, delay, stamped ? sent : started.getAtMs());
        yield message.toBuilder()
            .setStarted(started.toBuilder().setAtMs(times.of(started.getAtMs())))
            .build();
      }
      case FINISHED -> {
        var finished = message.getFinished();
        var times = new Times(now, delay, stamped ? sent : finished.getEndedAtMs());
        yield message.toBuilder().setFinished(translate(finished, times)).build();
      }
      case HELLO, HEARTBEAT, ACKED, REFUSED, DRAINING, KIND_NOT_SET -> message;
    };
  }

  /** How long the message was on its way, beyond the quickest. */
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

  private static Finished translate(Finished finished, Times times) {
    boolean ran = finished.getStartedAtMs() > 0;
    return finished.toBuilder()
        .setStartedAtMs(ran ? Math.max(1, times.of(finished.getStartedAtMs())) : 0)
        .setEndedAtMs(times.of(finished.getEndedAtMs()))
        .build();
  }

  /**
   * @param now the database's time at the arrival
   * @param sent by the agent's clock
   */
  private record Times(OptionalLong now, long delay, long sent) {
    long of(long stamp) {
      if (now.isEmpty() || stamp <= 0 || stamp >= STAMP_MAX_MS) {
        return 0;
      }
      long age = Math.clamp(sent - stamp, 0, AGE_MAX_MS) + Math.min(delay, AGE_MAX_MS);
      return Math.max(1, now.getAsLong() - age);
    }
  }
}
