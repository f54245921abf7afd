package dev.belay.session.gateway;

import dev.belay.domain.reap.Lease;
import java.time.Duration;

/**
 * How this replica treats its workers.
 *
 * @param replica its name, sent to workers
 * @param heartbeatInterval between the heartbeats of a worker
 * @param abortGrace between TERM and KILL of an aborted dispatch that names no grace itself
 * @param lease of strict dispatches
 */
public record GatewaySettings(
    String replica, Duration heartbeatInterval, Duration abortGrace, Limits limits, Lease lease) {

  public GatewaySettings(
      String replica, Duration heartbeatInterval, Duration abortGrace, Limits limits) {
    this(replica, heartbeatInterval, abortGrace, limits, Lease.DEFAULT);
  }

  /**
   * Bounds of a connection. Exceeding one closes the connection with a reason, unless noted
   * otherwise.
   *
   * @param idsMax dispatch ids in one message, and dispatches known to one connection
   * @param awaitingMax events applied and not yet settled
   * @param listMax pools of a worker, labels, and capabilities
   * @param textMax characters of a name, pool, label or capability; a reason is cut to it
   * @param detailMax characters of an outcome's detail, which is cut to it
   * @param assignMax dispatches in one Assign; more are split
   * @param assignBytesMax bytes of one Assign, unless a single dispatch is larger
   * @param slotsMax slots that a worker may offer
   * @param missedHeartbeats heartbeats in a row that omit a dispatch which the agent had
   */
  public record Limits(
      int idsMax,
      int awaitingMax,
      int listMax,
      int textMax,
      int detailMax,
      int assignMax,
      int assignBytesMax,
      int slotsMax,
      int missedHeartbeats) {

    public static final Limits DEFAULT =
        new Limits(20_000, 40_000, 100, 1_000, 4_096, 500, 1_048_576, 10_000, 2);
  }
}
