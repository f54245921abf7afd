package dev.belay.agent.state;

/**
 * How much an agent keeps back for a full disk.
 *
 * @param spaceBytes on the disk of its folder, for the journal; 0 keeps nothing back
 * @param freeMinBytes with less free space the disk counts as full, and the agent takes no work
 * @param descriptors open files; 0 keeps none back
 */
public record ReserveSettings(long spaceBytes, long freeMinBytes, int descriptors) {

  public ReserveSettings {
    if (spaceBytes < 0 || freeMinBytes < 0 || descriptors < 0) {
      throw new IllegalArgumentException("a reserve cannot be negative");
    }
  }

  public static ReserveSettings defaults() {
    return new ReserveSettings(4L << 20, 16L << 20, 16);
  }
}
