package dev.belay.engine.steer;

import dev.belay.domain.backfill.BackfillState;

/** The answer to a request about a backfill. */
public sealed interface BackfillSteer {

  /**
   * It is in this state now, or was before.
   *
   * @param runs runs of it that were asked to end
   */
  record Done(BackfillState state, int runs) implements BackfillSteer {}

  /** A backfill in this state cannot do that. */
  record Refused(BackfillState state) implements BackfillSteer {}

  record NotFound() implements BackfillSteer {}
}
