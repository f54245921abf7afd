package dev.belay.engine.statement;

import dev.belay.domain.settle.AbortReason;
import org.jspecify.annotations.Nullable;

/**
 * A request to end an attempt. The first one of an attempt stays.
 *
 * @param by who asked; null when that is not known, as of rows of older versions
 * @param note why, for the history; empty means none
 */
public record Abort(AbortReason reason, @Nullable String by, String note) {

  public static Abort of(AbortReason reason, String by) {
    return new Abort(reason, by, "");
  }

  /** The reason as the history shows it. */
  public String described() {
    return note.isEmpty() ? reason.word() : reason.word() + ": " + note;
  }
}
