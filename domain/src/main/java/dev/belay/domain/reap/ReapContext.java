package dev.belay.domain.reap;

import java.time.Duration;
import java.util.Optional;

/**
 * What the leader knows beside the attempt that it judges.
 *
 * @param massSilence more workers are silent together than can be true
 * @param grace why a silence is not to be trusted yet; empty when calm
 * @param steady since when there was a replica that could write, at any time: told by the database,
 *     so it holds across elections
 */
public record ReapContext(boolean massSilence, Optional<GraceReason> grace, Duration steady) {

  boolean isCalm() {
    return grace.isEmpty();
  }

  /**
   * Whoever could have said something since then, could have it written: nobody was deaf since, or
   * has been listening again for a whole grace.
   */
  boolean couldAnswer(Duration since, Duration takeover) {
    boolean trusted = grace.filter(GraceReason.CLOCK_STEP::equals).isEmpty();
    return trusted && (steady.compareTo(since) >= 0 || steady.compareTo(takeover) >= 0);
  }
}
