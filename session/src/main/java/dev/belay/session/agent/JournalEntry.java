package dev.belay.session.agent;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;

/** One durable step of a dispatch on this worker. The last entry of a dispatch says where it is. */
public sealed interface JournalEntry {

  DispatchId dispatch();

  /** The id is known here; a process may exist for it, but provably has not run. */
  record Prepared(DispatchId dispatch, TaskId task) implements JournalEntry {}

  /** The latch may be open: from now on it counts as started, for ever. */
  record Started(DispatchId dispatch, long atMs, long pid) implements JournalEntry {}

  /** It is over; the outcome must reach the server. */
  record Ended(Finished finished) implements JournalEntry {
    @Override
    public DispatchId dispatch() {
      return DispatchId.of(finished.getDispatchId());
    }
  }

  /** The server knows, or nobody waits for it any more. */
  record Settled(DispatchId dispatch) implements JournalEntry {}
}
