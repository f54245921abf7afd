package dev.belay.domain.schedule;

import java.time.Duration;
import java.time.LocalDateTime;

/**
 * How a change of a zone's clocks affected an instant.
 *
 * @param local the local time that does not exist, or occurs twice
 * @param length by how much the clocks changed
 */
public record ClockChange(Kind kind, LocalDateTime local, Duration length) {

  public enum Kind {
    /** The instant stands for a local time that does not exist. */
    SHIFTED,
    /** It stands for its own local time, and for one that does not exist. */
    JOINED,
    FIRST_OF_TWO,
    SECOND_OF_TWO
  }

  /** Such as "02:30 does not exist, shifted by 1h". */
  public String text() {
    return switch (kind) {
      case SHIFTED -> local.toLocalTime() + " does not exist, shifted by " + hours(length);
      case JOINED -> "also for " + local.toLocalTime() + ", which does not exist";
      case FIRST_OF_TWO -> "first of two " + local.toLocalTime();
      case SECOND_OF_TWO -> "second of two " + local.toLocalTime();
    };
  }

  private static String hours(Duration length) {
    String hours = length.toHours() == 0 ? "" : length.toHours() + "h";
    String minutes = length.toMinutesPart() == 0 ? "" : length.toMinutesPart() + "m";
    String seconds = length.toSecondsPart() == 0 ? "" : length.toSecondsPart() + "s";
    return hours + minutes + seconds;
  }
}
