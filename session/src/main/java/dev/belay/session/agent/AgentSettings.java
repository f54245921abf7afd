package dev.belay.session.agent;

import java.time.Duration;

/**
 * Times and bounds of an agent session.
 *
 * @param backoffMin longest wait before the first try after a failure
 * @param backoffMax longest wait before any reconnect
 * @param heartbeatInterval between heartbeats, when the server sets no interval
 * @param welcomeMax how long a server may take to send the welcome and see the first heartbeat;
 *     doubles after each server that fails this, up to silenceMax
 * @param silenceMax a connection without a server message for this long is given up
 * @param heldMax dispatches held at once, including unsettled outcomes
 * @param settledMax remembered settled ids, so that a late Assign does not start one again
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
