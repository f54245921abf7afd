package dev.belay.domain.routing;

import dev.belay.domain.queue.Placement.Size;

/** What a worker has, or what its tasks take of it. */
public record Load(int slots, long memoryBytes, int cpuMillis) {
  public static final Load NONE = new Load(0, 0, 0);

  public static Load slots(int slots) {
    return new Load(slots, 0, 0);
  }

  public Load plus(Size size) {
    return new Load(
        slots + size.slots(), memoryBytes + size.memoryBytes(), cpuMillis + size.cpuMillis());
  }

  /** Never below nothing. */
  public Load minus(Size size) {
    return new Load(
        Math.max(0, slots - size.slots()),
        Math.max(0, memoryBytes - size.memoryBytes()),
        Math.max(0, cpuMillis - size.cpuMillis()));
  }
}
