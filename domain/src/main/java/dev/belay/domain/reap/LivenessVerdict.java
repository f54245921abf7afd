package dev.belay.domain.reap;

import java.time.Duration;

/** The verdict of a rule on one attempt. */
public sealed interface LivenessVerdict {

  /**
   * @param why the evidence that it lives, or the reason not to judge now
   */
  record Leave(String why) implements LivenessVerdict {}

  /**
   * @param kind gives the attempt its reason and the recovery its name
   * @param sinceSign since the last sign that it might continue
   * @param mayRunOn how long a strict attempt may still run on its worker
   */
  record End(RecoveryKind kind, Duration sinceSign, Duration mayRunOn) implements LivenessVerdict {}
}
