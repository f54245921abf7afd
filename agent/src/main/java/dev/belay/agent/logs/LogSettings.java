package dev.belay.agent.logs;

import java.time.Duration;

/**
 * Limits of logs.
 *
 * @param dispatchMaxBytes kept of one dispatch: half for its beginning, half for its end
 * @param totalMaxBytes space for all spooled logs; the oldest ended ones go first
 * @param lineMaxBytes longer lines are split
 * @param chunkMaxBytes data of one chunk
 * @param inFlightMax chunks sent and not yet acknowledged, at most one for each dispatch
 * @param resendMax fruitless answers in a row before the agent gives a log up
 * @param shipWait how long an outcome waits for its log
 * @param pauseMax longest pause that a server can ask for
 * @param lostMax dropped logs whose mark still waits for the server
 */
public record LogSettings(
    long dispatchMaxBytes,
    long totalMaxBytes,
    int lineMaxBytes,
    int chunkMaxBytes,
    int inFlightMax,
    int resendMax,
    Duration shipWait,
    Duration pauseMax,
    int lostMax) {

  public static LogSettings defaults() {
    return new LogSettings(
        10L * 1024 * 1024,
        1024L * 1024 * 1024,
        8 * 1024,
        64 * 1024,
        64,
        10,
        Duration.ofSeconds(5),
        Duration.ofMinutes(1),
        10_000);
  }
}
