package dev.belay.session.agent;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.wire.WireId;

/**
 * One durable step of a dispatch on this worker. The last entry of a dispatch is its state, so each
 * one but the settlement names the task that the agent must report.
 */
public sealed interface JournalEntry {

  DispatchId dispatch();

  /** The dispatch is known; its process may exist, but provably has not run. */
  record Prepared(DispatchId dispatch, TaskId task) implements JournalEntry {}

  /** The latch may be open: from now on the dispatch counts as started. */
  record Started(DispatchId dispatch, TaskId task, long atMs, long pid) implements JournalEntry {}

  /** It is over; the outcome must reach the server. */
  record Ended(Finished finished) implements JournalEntry {
    @Override
    public DispatchId dispatch() {
      return DispatchId.of(finished.getDispatchId());
    }

    public TaskId task() {
      return WireId.task(finished.getTaskId());
    }
  }

  /** The server has the outcome, or does not need it. */
  record Settled(DispatchId dispatch) implements JournalEntry {}
}
