package dev.belay.simulation;

import java.util.Locale;

/** What must be true, whatever goes wrong. */
public enum Invariant {
  /** Each change is one of the table, and begins where the last one ended. */
  LEGAL_HISTORY,
  /** What ended stays so, unless somebody asked for another generation. */
  TERMINAL_IS_FINAL,
  /** What a dispatch does to its task, it does in the generation that it was claimed in. */
  OWN_GENERATION,
  /** An active task has one open attempt, and no other task has one. */
  ONE_DISPATCH,
  /** A dispatch is started once, whoever forgets or repeats it. */
  STARTED_ONCE,
  /** What is not strict runs twice at a time only after a loss. */
  NO_NEEDLESS_OVERLAP,
  /** What is strict never runs twice at a time. */
  STRICT_ALONE,
  NO_WRITE_OF_THE_DEPOSED,
  /** What runs, or has ended, on a worker that is heard is not given up. */
  NO_END_OF_THE_LIVING,
  LIMITS,
  /** What was answered with yes is in the database. */
  NOTHING_ACKNOWLEDGED_LOST,
  /** The database says of an end what was true. */
  TRUE_END,
  /** The database says when it started and ended, also when that was told much later. */
  TRUE_TIMES,
  CANCELLED_ONLY_IF_ASKED,
  /** When it is calm, everything ends. */
  EVERYTHING_ENDS,
  /** When it is calm, what hangs is found as soon as promised. */
  FOUND_IN_TIME,
  /** Nothing threw that nobody expected. */
  NO_BUG;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
