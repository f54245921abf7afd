package dev.belay.domain.reap;

import java.time.Duration;
import java.util.Optional;

/**
 * What the leader knows besides the attempt that it judges.
 *
 * @param massSilence implausibly many workers are silent at once
 * @param grace why a silence does not count yet; empty when it does
 * @param steady how long some replica could write without a gap; read from the database, so it
 *     survives elections
 */
public record ReapContext(boolean massSilence, Optional<GraceReason> grace, Duration steady) {

  boolean isCalm() {
    return grace.isEmpty();
  }

  /**
   * Whether a message sent since then could have been written: some replica could write all the
   * time, or has been able to again for a whole grace.
   */
  boolean couldAnswer(Duration since, Duration takeover) {
    boolean trusted = grace.filter(GraceReason.CLOCK_STEP::equals).isEmpty();
    return trusted && (steady.compareTo(since) >= 0 || steady.compareTo(takeover) >= 0);
  }
}
