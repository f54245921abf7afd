package dev.belay.domain.reap;

import java.time.Duration;

/** What a rule says of one attempt. */
public sealed interface LivenessVerdict {

  /**
   * @param why what speaks for its life, or against looking now
   */
  record Leave(String why) implements LivenessVerdict {}

  /**
   * @param kind gives the attempt's end its reason, and the recovery its name
   * @param sinceSign since the last sign that it might go on
   * @param mayRunOn how long it may still run where it is, if it is strict
   */
  record End(RecoveryKind kind, Duration sinceSign, Duration mayRunOn) implements LivenessVerdict {}
}
