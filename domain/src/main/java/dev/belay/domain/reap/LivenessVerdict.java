package dev.belay.domain.reap;

import java.time.Duration;

/** What a rule says of one attempt. */
public sealed interface LivenessVerdict {

  /**
   * @param why what speaks for its life, or against looking now
   */
  record Leave(String why) implements LivenessVerdict {}

  /**
   * @param reason of the attempt's end
   * @param kind under which the recovery is counted
   * @param sinceSign since the last sign that it might go on
   * @param mayRunOn how long it may still run where it is, if it is strict
   */
  record End(String reason, RecoveryKind kind, Duration sinceSign, Duration mayRunOn)
      implements LivenessVerdict {}
}
