package dev.belay.agent.journal;

/**
 * Limits of the journal.
 *
 * @param compactAtBytes the journal compacts the file when it is larger
 * @param settledMax how many settled dispatch ids it remembers, to start none of them twice
 */
public record JournalSettings(long compactAtBytes, int settledMax) {

  public static JournalSettings defaults() {
    return new JournalSettings(8L * 1024 * 1024, 10_000);
  }
}
