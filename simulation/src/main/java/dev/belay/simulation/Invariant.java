package dev.belay.simulation;

import java.util.Locale;

/** What must hold under any faults. */
public enum Invariant {
  /** Each change is in the table of transitions, and begins where the last one ended. */
  LEGAL_HISTORY,
  /** The history that the database derives from a task's rows shows each step that it took. */
  DERIVED_HISTORY,
  /** An ended task or run stays so, unless a person starts another generation. */
  TERMINAL_IS_FINAL,
  /** A dispatch changes its task only in the generation that it was claimed in. */
  OWN_GENERATION,
  /** Each reopening of a task raises its generation. */
  GENERATION_RISES,
  /** A task whose attempt a person's mark ended becomes what was asked for, or succeeded. */
  MARKED_AS_ASKED,
  /** A task becomes ready only when the tasks before it allow that, also after a clear. */
  AFTER_ITS_UPSTREAM,
  /** An active task has exactly one open attempt, any other task has none, and none is lost. */
  ONE_DISPATCH,
  /** A dispatch starts at most once, even if it is forgotten or repeated. */
  STARTED_ONCE,
  /** Attempts of a task that is not strict overlap only after a loss. */
  NO_NEEDLESS_OVERLAP,
  /** Attempts of a strict task never overlap. */
  STRICT_ALONE,
  NO_WRITE_OF_THE_DEPOSED,
  /** An attempt that runs or has ended on a worker with recent signs is not given up. */
  NO_END_OF_THE_LIVING,
  LIMITS,
  /** No more tasks of a rate limit start than its bucket and its flow allow. */
  RATES,
  /** Each instant of a backfill has one run, and none starts after a cancel was answered. */
  BACKFILL,
  /** The database has everything that was acknowledged. */
  NOTHING_ACKNOWLEDGED_LOST,
  /** The database has the true outcome. */
  TRUE_END,
  /** The database has the true start and end, even when they were reported much later. */
  TRUE_TIMES,
  CANCELLED_ONLY_IF_ASKED,
  /** A timer does not fire before its time by the database's clock and, in calm, not late. */
  TIMERS,
  /** Each end of a run has one row for each trigger that waits for it, and starts one run. */
  CHAINED_ONCE,
  /** Each instant of each trigger has one row, in time, with its run if it fired. */
  ONE_ROW_FOR_EACH_INSTANT,
  /** A task that was given up has one dead letter, and no other task has one. */
  ONE_DEAD_LETTER,
  /** The first reason to end an attempt stays, and decides unless the attempt succeeded. */
  FIRST_REASON_DECIDES,
  /** In calm, everything ends. */
  EVERYTHING_ENDS,
  /** In calm, stalls are detected within their promise. */
  FOUND_IN_TIME,
  /** No unexpected exception. */
  NO_BUG;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
