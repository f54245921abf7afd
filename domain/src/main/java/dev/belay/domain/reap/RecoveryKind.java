package dev.belay.domain.reap;

import java.util.Locale;
import java.util.Optional;

/** The kinds of stall that Belay detects and ends, or moves on. */
public enum RecoveryKind {
  /** The worker's side closed the stream and did not reconnect. */
  AGENT_CLOSED,
  /** The worker was silent for too long. */
  AGENT_SILENT,
  /** The worker never started the dispatch. */
  DISPATCH_LOST,
  /** The worker restarted, and its new session does not hold the dispatch. */
  WORKER_RESTARTED,
  /** As above, but found by the reaper because the gateway missed it. */
  SESSION_OVER,
  /** As above, because the machine rebooted. */
  MACHINE_REBOOTED,
  /** A person deleted the worker. */
  WORKER_GONE,
  /** The worker's heartbeats no longer list the dispatch. */
  NOT_REPORTED,
  /** The task is past its deadline. */
  DEADLINE_PASSED,
  /** The attempt is past the limit on its running time. */
  RUNNING_TOO_LONG,
  /** The task could move but stayed PENDING. */
  PENDING_REPLAYED,
  /** The answer or event that the task waits for did not come. */
  WAIT_EXPIRED,
  /** An open run makes no progress. */
  ORPHAN_RUN;

  /** Its name in rows, metrics and output. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The reason that the attempt, task or run shows; some kinds share one. */
  public String reason() {
    return switch (this) {
      case AGENT_CLOSED, AGENT_SILENT -> "agent_lost";
      case SESSION_OVER -> WORKER_RESTARTED.word();
      case ORPHAN_RUN -> "orphaned";
      case DISPATCH_LOST,
          WORKER_RESTARTED,
          MACHINE_REBOOTED,
          WORKER_GONE,
          NOT_REPORTED,
          DEADLINE_PASSED,
          RUNNING_TOO_LONG,
          PENDING_REPLAYED,
          WAIT_EXPIRED ->
          word();
    };
  }

  public static Optional<RecoveryKind> of(String word) {
    for (RecoveryKind kind : values()) {
      if (kind.word().equals(word)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
