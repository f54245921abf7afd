package dev.belay.store.schedule;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A position in the ledger of a workflow: after this row, towards the past. */
public record FireCursor(Instant at, UUID trigger) {

  /** Lower than any trigger: everything at the instant has been read. */
  static final UUID BEFORE_ALL = new UUID(0, 0);

  private static final char SEPARATOR = '_';

  /** Empty when it is no cursor. */
  public static Optional<FireCursor> parse(String text) {
    int end = text.indexOf(SEPARATOR);
    try {
      return end < 0
          ? Optional.empty()
          : Optional.of(
              new FireCursor(
                  Instant.parse(text.substring(0, end)), UUID.fromString(text.substring(end + 1))));
    } catch (DateTimeException | IllegalArgumentException notOne) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return at.toString() + SEPARATOR + trigger;
  }
}
