package dev.belay.session.gateway;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Held;
import org.jspecify.annotations.Nullable;

/** What one connection knows of one dispatch: what the agent said, and what was done about it. */
final class Known {
  /** As the agent has it; ENDED also once it was refused; null when the agent does not hold it. */
  Held.@Nullable Phase phase;

  long startedAtMs;

  /** The session that the database binds it to, as far as it was seen. */
  SessionId session;

  /** Null as long as no mailbox told it. */
  @Nullable TaskId task;

  /** Sent, or taken over, on this connection: a mailbox with another session is older than that. */
  boolean assigned;

  /** Started by an earlier session of the agent, and alive in this one. */
  boolean adopted;

  /** Strict; null as long as that is not known. */
  @Nullable Boolean strict;

  /**
   * The agent said on this connection that it has it: a heartbeat that lacks it says it has not.
   */
  boolean acked;

  /** Heartbeats in a row that lack it. */
  int missing;

  /** The agent said on this connection when it started. */
  boolean startTold;

  /** Its start was handed over to be written. */
  boolean startApplied;

  boolean startWritten;
  boolean abortSent;

  /** Declared lost; the verdict is with the database. */
  boolean lost;

  /** Its end, refusal or loss is settled: it leaves with the first mailbox that lacks it. */
  boolean settled;

  Known(Held.@Nullable Phase phase, long startedAtMs, SessionId session) {
    this.phase = phase;
    this.startedAtMs = startedAtMs;
    this.session = session;
  }

  boolean isUnwritten() {
    return !settled && !startWritten && (startApplied || phase == Held.Phase.ENDED);
  }

  /** The agent has, or will have, a process for it. */
  boolean isActive() {
    return phase == Held.Phase.PREPARING || phase == Held.Phase.RUNNING;
  }
}
