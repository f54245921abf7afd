package dev.belay.engine.steer;

import dev.belay.domain.run.RunState;

/** What became of the wish to retry a run. */
public sealed interface RunRetry {

  /**
   * It is QUEUED again.
   *
   * @param tasks how many of its tasks wait again
   */
  record Done(int tasks) implements RunRetry {}

  /** It is open, perhaps because somebody else retried it first, or it has succeeded. */
  record Refused(RunState state) implements RunRetry {}

  record NotFound() implements RunRetry {}
}
