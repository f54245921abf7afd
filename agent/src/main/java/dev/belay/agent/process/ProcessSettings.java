package dev.belay.agent.process;

import java.time.Duration;

/**
 * Limits of running processes.
 *
 * @param grace from SIGTERM to SIGKILL where neither the caller nor the dispatch names one
 * @param drain how long the agent reads output after the main process has ended
 * @param quietAfter the silence after which an unfinished line is emitted
 * @param sweepInterval minimum time between two readings of /proc
 * @param sweepRounds how often a sweep looks again for processes that were being forked
 * @param cleanupEntriesMax maximum number of files and folders to remove for one task folder
 */
public record ProcessSettings(
    Duration grace,
    Duration drain,
    Duration quietAfter,
    Duration sweepInterval,
    int sweepRounds,
    int cleanupEntriesMax) {

  public static ProcessSettings defaults() {
    return new ProcessSettings(
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        Duration.ofMillis(200),
        Duration.ofMillis(250),
        20,
        1_000_000);
  }
}
