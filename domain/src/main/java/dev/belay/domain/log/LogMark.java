package dev.belay.domain.log;

import java.util.Locale;

/**
 * Lines in a log that are Belay's own. Each line of a task begins with its time, and these begin
 * with a bracket, so a task cannot write one.
 */
public final class LogMark {

  /** No mark is longer. */
  public static final int MAX_BYTES = 160;

  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private LogMark() {}

  /** The end of a long output follows. */
  public static String leftOut(long bytes) {
    return "[belay: " + size(bytes) + " left out here]\n";
  }

  public static String missing(long bytes, String why) {
    return "[belay: " + size(bytes) + " missing here: " + why + "]\n";
  }

  /** The agent could not keep it. */
  public static String lost(long bytes, String why) {
    String count = String.format(Locale.ROOT, "%,d", bytes);
    return "[belay: " + count + " bytes of output were lost here: " + why + "]\n";
  }

  /** Something is missing, nobody knows how much. */
  public static String missing(String why) {
    return "[belay: the rest is missing here: " + why + "]\n";
  }

  /** The log goes on when the attempt has ended. */
  public static String endFollows(long headBytes) {
    return "[belay: longer than " + size(headBytes) + ": its end follows when the attempt ends]\n";
  }

  static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + " bytes";
    }
    double value = bytes;
    int unit = -1;
    do {
      value /= 1024;
      unit++;
    } while (value >= 1023.95 && unit < UNITS.length - 1);
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }
}
