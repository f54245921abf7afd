package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.engine.statement.ScheduleStatements.Cause;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The store's triggers, their ledger and the causes of runs, for the checks. */
public interface ObservedTriggers {

  /**
   * A version of a trigger that waits for times.
   *
   * @param number rises with each change
   */
  record Version(
      long number, UUID id, Name name, String spec, Range range, Cursor cursor, boolean paused) {}

  record Name(TriggerId trigger, String workflow, String name) {}

  /**
   * The instants of a version.
   *
   * @param from they are after it
   * @param until they are not after it; null while the version is live
   */
  record Range(Instant from, @Nullable Instant until) {

    boolean has(Instant at) {
      return at.isAfter(from) && (until == null || !at.isAfter(until));
    }
  }

  /**
   * @param next the first instant that is not decided
   * @param due when the leader looks at it; null for never
   */
  record Cursor(@Nullable Instant next, @Nullable Instant due, @Nullable Instant replayFrom) {}

  /**
   * A row of the ledger.
   *
   * @param number rises with each change
   */
  record Fire(
      long number,
      TriggerId trigger,
      Instant at,
      Instant due,
      String outcome,
      @Nullable String reason,
      @Nullable RunId run,
      @Nullable Instant into,
      Instant decidedAt) {}

  /**
   * @param cause empty for a run that a person started
   */
  record Run(RunId id, String workflow, @Nullable Instant logicalDate, Cause cause) {}

  /** Versions that were inserted or changed, as they are now. */
  List<Version> versionsAfter(long number);

  /** Rows that were inserted or changed, as they are now. */
  List<Fire> firesAfter(long number);

  List<Run> runs(Collection<RunId> runs);
}
