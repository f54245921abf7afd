package dev.belay.domain.reap;

import java.time.Duration;

/**
 * How soon the reaper detects each kind of stall, counted from the last sign of life, or from when
 * a limit or deadline passed. A promise is the rule's limit plus the time that detection may take.
 *
 * @param reconnect how long a worker that closed its stream may take to reconnect
 * @param silence how long a worker may be silent
 * @param dispatch how long a dispatch may go without a start
 * @param session how long the gateway has to end an attempt of an older session
 * @param heartbeat interval between the heartbeats of a worker
 * @param pending how long a task that could move may stay PENDING
 * @param orphan how long an open run may make no progress
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

  /** A dispatch that this many heartbeats omit is given up. */
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
