package dev.belay.workflow;

import dev.belay.domain.schedule.Dst;
import dev.belay.domain.spec.Times;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Points in time that a file writes with or without their offset. */
final class LocalTimes {

  static final int CHARS_MAX = 40;

  /** Follows "must be ". */
  static final String EXPECTED =
      "a date such as 2026-12-24, a time of the time zone such as 2026-12-24T18:00:00, or one with"
          + " an offset such as 2026-12-24T18:00:00Z, in the years 1970 to 2199";

  private LocalTimes() {}

  /** What a text means in a zone. */
  sealed interface Meaning {}

  record Known(Instant instant) implements Meaning {}

  /** It is no time, or out of bounds. */
  record NoTime() implements Meaning {}

  /**
   * The clocks leave it out.
   *
   * @param shifted later by the length of the gap
   */
  record InGap(Instant shifted) implements Meaning {}

  /** The clocks show it twice. */
  record Twice(Instant first, Instant last) implements Meaning {}

  /** A date is its first moment in the zone. */
  static Meaning meaning(String text, ZoneId zone) {
    if (text.length() > CHARS_MAX) {
      return new NoTime();
    }
    LocalDate date = date(text);
    LocalDateTime local = date == null ? local(text) : null;
    try {
      if (date != null) {
        return new Known(bounded(date.atStartOfDay(zone).toInstant()));
      }
      return local == null ? new Known(bounded(text)) : meaning(local, zone);
    } catch (DateTimeException noTime) {
      return new NoTime();
    }
  }

  private static Meaning meaning(LocalDateTime local, ZoneId zone) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    if (offsets.isEmpty()) {
      ZoneOffset before = zone.getRules().getTransition(local).getOffsetBefore();
      return new InGap(bounded(local.toInstant(before)));
    }
    Instant first = bounded(local.toInstant(offsets.getFirst()));
    return offsets.size() == 1
        ? new Known(first)
        : new Twice(first, bounded(local.toInstant(offsets.getLast())));
  }

  /** The moment of a text; empty when it is no time. */
  static Optional<Instant> resolve(String text, ZoneId zone, Dst dst) {
    return switch (meaning(text, zone)) {
      case Known(var instant) -> Optional.of(instant);
      case NoTime() -> Optional.empty();
      case InGap(var shifted) -> Optional.of(shifted);
      case Twice(var first, var last) ->
          Optional.of(dst.repeat() == Dst.Repeat.LAST ? last : first);
    };
  }

  private static Instant bounded(Instant instant) {
    return bounded(instant.toString());
  }

  private static Instant bounded(String text) {
    return Times.parse(text).orElseThrow(() -> new DateTimeException("out of bounds"));
  }

  private static @Nullable LocalDate date(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException other) {
      return null;
    }
  }

  private static @Nullable LocalDateTime local(String text) {
    try {
      return LocalDateTime.parse(text);
    } catch (DateTimeParseException other) {
      return null;
    }
  }
}
