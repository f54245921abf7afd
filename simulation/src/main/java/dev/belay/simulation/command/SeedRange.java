package dev.belay.simulation.command;

import java.util.regex.Pattern;

/** Seeds from one to another, inclusive. */
record SeedRange(long from, long to) {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})\\.\\.([0-9]{1,18})");

  SeedRange {
    if (to < from) {
      throw new IllegalArgumentException(
          "the seeds %d..%d end before they begin".formatted(from, to));
    }
  }

  /** Reads {@code 1..500}. */
  static SeedRange parse(String text) {
    var parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("\"" + text + "\" is no range of seeds like 1..500");
    }
    return new SeedRange(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
  }

  long size() {
    return to - from + 1;
  }

  @Override
  public String toString() {
    return from == to ? "seed " + from : "seeds %d..%d".formatted(from, to);
  }
}
