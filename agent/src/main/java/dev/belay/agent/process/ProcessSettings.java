package dev.belay.agent.process;

import java.time.Duration;

/**
 * Bounds of running processes.
 *
 * @param grace from SIGTERM to SIGKILL where the caller names none
 * @param drain how long output is read after the main process has ended
 * @param quietAfter after which silence an unfinished line is shown
 * @param sweepInterval least time between two readings of /proc
 * @param sweepRounds how often a sweep looks again for processes that were being forked
 * @param cleanupEntriesMax how many files and folders are removed for one task folder
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
