package dev.belay.session.agent;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Dispatch;
import java.time.Duration;
import java.util.Map;

/** The adapter's next action. */
public sealed interface AgentCommand {

  /**
   * Writes to the current stream. Without a stream the message is lost, which the session expects.
   */
  record Send(AgentMessage message) implements AgentCommand {}

  /**
   * Must be durable before the next command runs. If that fails, the adapter calls {@code
   * notRecorded} and, for a dispatch that was taken or started, skips the commands that follow it.
   */
  record Persist(JournalEntry entry) implements AgentCommand {}

  /**
   * Creates a latched process asynchronously. The adapter answers with {@code prepared}, {@code
   * prepareFailed} or {@code prepareRefused}, or, after a {@code Stop}, with {@code ended}.
   */
  record Prepare(Dispatch dispatch) implements AgentCommand {}

  /**
   * Strict dispatches may run until then, by the clock of {@code tick}; a later lease replaces an
   * earlier one. A separate process must hold the lease before the next command runs: it ends the
   * dispatch when the time is over, even if this process has died.
   */
  record Lease(Map<DispatchId, Long> untilNanos) implements AgentCommand {}

  /** Lets the latched process run, unless its lease is over; {@code ended} follows once. */
  record Open(DispatchId dispatch) implements AgentCommand {}

  /**
   * Ends the dispatch, prepared or running: TERM, then KILL after the grace. A process that was not
   * opened must never run. The adapter answers with one {@code ended} (or {@code prepareFailed}).
   */
  record Stop(DispatchId dispatch, String reason, Duration grace) implements AgentCommand {}

  /** Deletes all that belongs to this dispatch: files, buffers, log tails. */
  record Forget(DispatchId dispatch) implements AgentCommand {}

  /** Opens a stream after the delay; {@code connected()} or {@code disconnected()} follows. */
  record ConnectAfter(Duration delay) implements AgentCommand {}

  /** Closes the stream; the adapter answers with {@code disconnected()}. */
  record Disconnect(String reason) implements AgentCommand {}

  /**
   * This process is the worker's {@code number}-th, by the server's count. Must be durable before
   * the next command runs, so that the next process continues from it.
   */
  record Renumber(long number) implements AgentCommand {}

  /** The server will never accept this worker: report that to a person and stop. */
  record GiveUp(String reason) implements AgentCommand {}
}
