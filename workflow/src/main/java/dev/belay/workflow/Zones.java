package dev.belay.workflow;

import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Time zones by their IANA names. */
final class Zones {

  static final ZoneId DEFAULT = ZoneId.of("UTC");
  static final int CHARS_MAX = 100;

  /** Follows "must be ". */
  static final String EXPECTED = "an IANA time zone such as Europe/Berlin or UTC";

  private Zones() {}

  static Optional<ZoneId> parse(String name) {
    return ZoneId.getAvailableZoneIds().contains(name)
        ? Optional.of(ZoneId.of(name))
        : Optional.empty();
  }

  /** {@code "; did you mean 'x'?"}, or nothing. */
  static String hint(String typed) {
    List<String> known = ZoneId.getAvailableZoneIds().stream().sorted().toList();
    String asPart = "/" + typed.strip().replace(' ', '_').toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(
            name -> {
              String small = "/" + name.toLowerCase(Locale.ROOT);
              return asPart.length() > 1 && small.endsWith(asPart);
            })
        .findFirst()
        .map("; did you mean '%s'?"::formatted)
        .orElseGet(() -> typed.length() > CHARS_MAX ? "" : Suggestion.after(typed, known, ""));
  }
}
