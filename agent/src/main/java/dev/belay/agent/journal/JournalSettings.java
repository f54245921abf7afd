package dev.belay.agent.journal;

/**
 * Bounds of the journal.
 *
 * @param compactAtBytes the file is written anew when it is larger
 * @param settledMax how many settled dispatch ids are remembered, so that none starts twice
 */
public record JournalSettings(long compactAtBytes, int settledMax) {

  public static JournalSettings defaults() {
    return new JournalSettings(8L * 1024 * 1024, 10_000);
  }
}
