package dev.belay.domain.spec;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The one way to write a point in time: ISO 8601 with {@code Z} or an offset. */
public final class Times {

  /** Follows "must be ". */
  public static final String EXPECTED =
      "a time with its zone, such as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00, in the"
          + " years 1970 to 2199";

  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");
  private static final int CHARS_MAX = 40;

  private Times() {}

  /**
   * Empty when the text is not a time, has no zone, or is out of bounds. Digits below a microsecond
   * count up, because PostgreSQL has no smaller unit and nothing may happen too early.
   */
  public static Optional<Instant> parse(String text) {
    if (text.length() > CHARS_MAX) {
      return Optional.empty();
    }
    try {
      Instant time = OffsetDateTime.parse(text).toInstant();
      Instant whole = time.truncatedTo(ChronoUnit.MICROS);
      Instant up = whole.equals(time) ? whole : whole.plus(1, ChronoUnit.MICROS);
      return up.isBefore(Instant.EPOCH) || !up.isBefore(END) ? Optional.empty() : Optional.of(up);
    } catch (DateTimeException notATime) {
      return Optional.empty();
    }
  }
}
