package dev.belay.domain.reap;

import java.time.Duration;

/**
 * How soon each kind of hanging is found, counted from the last sign of life (for a limit or
 * deadline: from when it passed). A promise is the limit of its rule and the time that looking may
 * take.
 *
 * @param reconnect a worker that closed its stream may come back for this long
 * @param silence a worker may say nothing for this long
 * @param dispatch a dispatch may go without a start for this long
 * @param session an attempt of a session that is over is left to the gateway for this long
 * @param heartbeat how often a worker sends a heartbeat
 * @param pending a task that could move on may stay for this long
 * @param orphan a run may be open for this long with nothing going on in it
 */
public record Promises(
    Duration reconnect,
    Duration silence,
    Duration dispatch,
    Duration session,
    Duration heartbeat,
    Duration pending,
    Duration orphan) {

  public static final Promises DEFAULT =
      new Promises(
          Duration.ofSeconds(15),
          Duration.ofSeconds(90),
          Duration.ofMinutes(3),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5));

  /** Heartbeats after which something that they do not name is given up. */
  private static final int HEARTBEATS = 3;

  private static final Duration AT_HELLO = Duration.ofSeconds(3);
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration LATER = Duration.ofSeconds(10);
  private static final Duration ORPHAN_LATER = Duration.ofMinutes(2);

  public Duration of(RecoveryKind kind) {
    return switch (kind) {
      case AGENT_CLOSED -> reconnect.plus(SOON);
      case AGENT_SILENT -> silence.plus(LATER);
      case DISPATCH_LOST -> dispatch.plus(LATER);
      case WORKER_RESTARTED, MACHINE_REBOOTED -> AT_HELLO;
      case SESSION_OVER -> session.plus(LATER);
      case NOT_REPORTED -> heartbeat.multipliedBy(HEARTBEATS).plus(SOON);
      case WORKER_GONE, DEADLINE_PASSED, RUNNING_TOO_LONG -> SOON;
      case PENDING_REPLAYED -> pending.plus(LATER);
      case WAIT_EXPIRED -> LATER;
      case ORPHAN_RUN -> orphan.plus(ORPHAN_LATER);
    };
  }
}
