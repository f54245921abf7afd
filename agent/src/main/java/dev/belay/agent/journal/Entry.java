package dev.belay.agent.journal;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;
import java.time.Instant;

/** One step of a dispatch on this agent. */
public sealed interface Entry {

  DispatchId dispatch();

  /** Taken; nothing runs yet. */
  record Prepared(DispatchId dispatch, TaskId task) implements Entry {}

  /** About to run: written before the latch opens. */
  record Started(DispatchId dispatch, Instant at, long pid) implements Entry {}

  record Ended(DispatchId dispatch, Finished finished) implements Entry {}

  /** The server has committed the outcome (or does not want it): it may be forgotten. */
  record Settled(DispatchId dispatch) implements Entry {}
}
