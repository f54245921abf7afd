package dev.belay.engine.steer;

import dev.belay.domain.run.RunState;

/** The answer to a request to retry a run. */
public sealed interface RunRetry {

  /**
   * The run is QUEUED again.
   *
   * @param tasks how many of its tasks wait again
   */
  record Done(int tasks) implements RunRetry {}

  /** The run is open, perhaps because another person retried it first, or it has succeeded. */
  record Refused(RunState state) implements RunRetry {}

  record NotFound() implements RunRetry {}
}
