package dev.belay.engine;

import java.time.Duration;

/**
 * Bounds of the engine.
 *
 * @param tick longest sleep of a loop that hints can wake
 * @param marksMax marks read by one plan
 * @param duesMax tasks promoted in one statement
 * @param roundsMax plan and dispatch rounds in one tick, so that a tick ends
 * @param claimMax tasks in one claim
 * @param dispatchThreads threads that claim
 * @param dispatchQueue claims that wait for a thread
 * @param resultsMax events written in one transaction
 * @param resultsQueue events that wait to be written; a full queue slows workers down
 * @param storeRetry pause after a failed write of results
 */
public record EngineSettings(
    Duration tick,
    int marksMax,
    int duesMax,
    int roundsMax,
    int claimMax,
    int dispatchThreads,
    int dispatchQueue,
    int resultsMax,
    int resultsQueue,
    Duration storeRetry) {

  public static EngineSettings of(int dispatchThreads, int dispatchQueue) {
    return new EngineSettings(
        Duration.ofSeconds(1),
        1_000,
        1_000,
        100,
        500,
        dispatchThreads,
        dispatchQueue,
        1_000,
        20_000,
        Duration.ofMillis(200));
  }

  public EngineSettings withTick(Duration tick) {
    return new EngineSettings(
        tick,
        marksMax,
        duesMax,
        roundsMax,
        claimMax,
        dispatchThreads,
        dispatchQueue,
        resultsMax,
        resultsQueue,
        storeRetry);
  }
}
