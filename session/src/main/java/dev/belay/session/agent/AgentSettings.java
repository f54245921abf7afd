package dev.belay.session.agent;

import java.time.Duration;

/**
 * The times and bounds of an agent session.
 *
 * @param backoffMin the longest wait before the first try after a failed one
 * @param backoffMax the longest wait before any reconnect
 * @param heartbeatInterval between heartbeats, when the server names no interval
 * @param welcomeMax a server that has not welcomed this worker and seen its first heartbeat for so
 *     long is given up; after each that was, twice as long, up to silenceMax: then all are slow
 * @param silenceMax a connection on which the server said nothing for so long is given up
 * @param heldMax dispatches held at once, unsettled outcomes included
 * @param settledMax settled ids that are remembered, so that a late Assign does not start one again
 */
public record AgentSettings(
    Duration backoffMin,
    Duration backoffMax,
    Duration heartbeatInterval,
    Duration welcomeMax,
    Duration silenceMax,
    int heldMax,
    int settledMax) {

  public static final AgentSettings DEFAULT =
      new AgentSettings(
          Duration.ofMillis(100),
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofMillis(1500),
          Duration.ofSeconds(10),
          10_000,
          10_000);

  public AgentSettings {
    if (!backoffMin.isPositive() || backoffMax.compareTo(backoffMin) < 0) {
      throw new IllegalArgumentException("need 0 < backoffMin <= backoffMax");
    }
    if (!heartbeatInterval.isPositive() || !welcomeMax.isPositive() || !silenceMax.isPositive()) {
      throw new IllegalArgumentException(
          "heartbeatInterval, welcomeMax and silenceMax must be positive");
    }
    if (heldMax < 1 || settledMax < 1) {
      throw new IllegalArgumentException("heldMax and settledMax must be positive");
    }
  }
}
