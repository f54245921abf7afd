package dev.belay.domain.reap;

import java.util.Locale;
import java.util.Optional;

/** The ways in which something that hung is found and ended, or moved on. */
public enum RecoveryKind {
  /** Its worker's side closed the stream, and did not come back. */
  AGENT_CLOSED,
  /** Its worker said nothing for too long. */
  AGENT_SILENT,
  /** It was given to a worker, and nobody began it. */
  DISPATCH_LOST,
  /** Its worker is another process now, which does not hold it. */
  WORKER_RESTARTED,
  /** The same, found by the reaper, because the new process did not make the server notice. */
  SESSION_OVER,
  /** The same, because the machine was started anew. */
  MACHINE_REBOOTED,
  /** Its worker was deleted. */
  WORKER_GONE,
  /** Its worker's heartbeats do not name it any more. */
  NOT_REPORTED,
  /** It is past its deadline. */
  DEADLINE_PASSED,
  /** It is past the limit on running. */
  RUNNING_TOO_LONG,
  /** It could have moved on and did not. */
  PENDING_REPLAYED,
  /** Nobody answered what it waits for. */
  WAIT_EXPIRED,
  /** A run is open and nothing goes on in it. */
  ORPHAN_RUN;

  /** How rows, metrics and people call it. */
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
