package dev.belay.domain.trigger;

import java.util.Locale;

/** Why a trigger started no run, though its cause occurred. */
public enum SkipReason {
  /** The upstream run ended in a state that the trigger does not wait for. */
  ON,
  /** The workflow is paused. */
  PAUSED,
  TRIGGER_PAUSED,
  /** The workflow is deleted. */
  DELETED,
  /** As many runs as {@code max_active} allows are there. */
  OVERLAP,
  /** Too many runs in a row, each the cause of the next. */
  DEPTH,
  /** The parameters of the run do not fit the workflow. */
  PARAMS,
  /** The stored trigger or workflow cannot be read. */
  UNREADABLE;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String word(String details) {
    return word() + ": " + details;
  }
}
