package dev.belay.domain.schedule;

/**
 * What happens to local times that a change of the clocks leaves out or repeats.
 *
 * @param gap for a local time that does not exist
 * @param repeat for a local time that occurs twice
 */
public record Dst(Gap gap, Repeat repeat) {

  public static final Dst DEFAULT = new Dst(Gap.SHIFT, Repeat.FIRST);

  public enum Gap {
    /** Later by the length of the gap: 02:30 becomes 03:30. */
    SHIFT,
    SKIP
  }

  public enum Repeat {
    FIRST,
    LAST,
    BOTH
  }
}
