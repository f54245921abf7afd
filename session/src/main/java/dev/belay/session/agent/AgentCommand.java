package dev.belay.session.agent;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Dispatch;
import java.time.Duration;
import java.util.Map;

/** What the adapter must do next. */
public sealed interface AgentCommand {

  /** Writes to the current stream. Without one it is lost, which the session expects. */
  record Send(AgentMessage message) implements AgentCommand {}

  /**
   * Is durable before the next command runs. If it cannot be: {@code notRecorded}, and nothing runs
   * that was to follow it for a dispatch that was taken or started.
   */
  record Persist(JournalEntry entry) implements AgentCommand {}

  /**
   * Makes a latched process that has not run yet, asynchronously. Answered by {@code prepared} or
   * {@code prepareFailed} or {@code prepareRefused}, or, after a {@code Stop}, by {@code ended}.
   */
  record Prepare(Dispatch dispatch) implements AgentCommand {}

  /**
   * Strict dispatches may run until then, by the clock of {@code tick}; a later lease takes the
   * place of an earlier one. Kept by somebody who is not this process, before the next command
   * runs: when the time has come it ends the dispatch, whatever became of this process.
   */
  record Lease(Map<DispatchId, Long> untilNanos) implements AgentCommand {}

  /**
   * Lets the latched process run, unless its lease is over. Answered, when it is over, by one
   * {@code ended}.
   */
  record Open(DispatchId dispatch) implements AgentCommand {}

  /**
   * Ends the dispatch, prepared or running: TERM, then KILL after the grace. A process that was not
   * opened must never run. Answered by one {@code ended} (or {@code prepareFailed}) in either case.
   */
  record Stop(DispatchId dispatch, String reason, Duration grace) implements AgentCommand {}

  /** Nothing of this dispatch is needed any more: files, buffers, log tails. */
  record Forget(DispatchId dispatch) implements AgentCommand {}

  /**
   * Opens a stream after the delay; then {@code connected()}, or {@code disconnected()} if it
   * fails.
   */
  record ConnectAfter(Duration delay) implements AgentCommand {}

  /** Closes the stream; the adapter answers with {@code disconnected()}. */
  record Disconnect(String reason) implements AgentCommand {}

  /**
   * This process is the {@code number}-th of its worker, as the server counts: is durable before
   * the next command runs, so that the next process goes on from there.
   */
  record Renumber(long number) implements AgentCommand {}

  /** The server will never take this worker: say so to a person and stop. */
  record GiveUp(String reason) implements AgentCommand {}
}
