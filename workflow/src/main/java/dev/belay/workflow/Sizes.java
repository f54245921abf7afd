package dev.belay.workflow;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The one way to write a size: {@code 512KiB}, {@code 8MiB}, {@code 1GiB}. */
public final class Sizes {

  /** The grammar as a regular expression. */
  public static final String PATTERN = "0|([0-9]{1,12})(B|KiB|MiB|GiB)";

  public static final String EXPECTED = "a size with its unit, like 512KiB or 8MiB";

  private static final Pattern SIZE = Pattern.compile(PATTERN);
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB");
  private static final int BITS_PER_UNIT = 10;

  private Sizes() {}

  /** The bytes of a text; empty when it is not a size. */
  public static Optional<Long> parse(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return Optional.empty();
    }
    if (size.group(1) == null) {
      return Optional.of(0L);
    }
    long count = Long.parseLong(size.group(1));
    int shift = BITS_PER_UNIT * UNITS.indexOf(size.group(2));
    return count > Long.MAX_VALUE >> shift ? Optional.empty() : Optional.of(count << shift);
  }

  /** The shortest text that {@link #parse} reads as these bytes. */
  public static String format(long bytes) {
    int unit = UNITS.size() - 1;
    while (unit > 0 && (bytes == 0 || bytes % (1L << (BITS_PER_UNIT * unit)) != 0)) {
      unit--;
    }
    return bytes == 0 ? "0" : (bytes >> (BITS_PER_UNIT * unit)) + UNITS.get(unit);
  }
}
