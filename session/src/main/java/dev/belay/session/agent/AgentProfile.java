package dev.belay.session.agent;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import java.time.Instant;

/**
 * Identity and offer of this worker process: the constant part of its Hello.
 *
 * @param startedAt for people; it orders nothing
 */
public record AgentProfile(
    Identity identity,
    String name,
    Offer offer,
    String version,
    String platform,
    Instant startedAt) {

  /**
   * @param key authenticates the process as the worker
   * @param session new with every process
   * @param number of this process: higher than that of every earlier one of the worker, unless the
   *     count was lost; then the server supplies it
   */
  public record Identity(WorkerId worker, WorkerKey key, SessionId session, long number) {}

  public AgentProfile {
    if (offer.slots() < 0) {
      throw new IllegalArgumentException("slots must not be negative: " + offer.slots());
    }
  }
}
