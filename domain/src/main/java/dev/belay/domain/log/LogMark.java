package dev.belay.domain.log;

import java.util.Locale;

/**
 * Lines that Belay itself adds to a log. Every line of a task begins with a timestamp and a mark
 * begins with a bracket, so a task cannot forge one.
 */
public final class LogMark {

  public static final int MAX_BYTES = 160;

  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private LogMark() {}

  /** Bytes are left out here; the end of the output follows. */
  public static String leftOut(long bytes) {
    return "[belay: " + size(bytes) + " left out here]\n";
  }

  public static String missing(long bytes, String why) {
    return "[belay: " + size(bytes) + " missing here: " + why + "]\n";
  }

  /** The agent could not store these bytes. */
  public static String lost(long bytes, String why) {
    String count = String.format(Locale.ROOT, "%,d", bytes);
    return "[belay: " + count + " bytes of output were lost here: " + why + "]\n";
  }

  /** An unknown amount of output is missing. */
  public static String missing(String why) {
    return "[belay: the rest is missing here: " + why + "]\n";
  }

  /** The rest of the log arrives when the attempt has ended. */
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
