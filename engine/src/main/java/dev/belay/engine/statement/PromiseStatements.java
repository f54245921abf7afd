package dev.belay.engine.statement;

import dev.belay.domain.id.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes of the promises of runs. Each of them is written once, however often it is tried. */
public interface PromiseStatements {

  /**
   * A run that was RUNNING for too long.
   *
   * @param late since its timeout passed
   */
  record TimedOut(RunId run, Duration late) {}

  /** Has the planner end RUNNING runs whose timeout has passed; a cancelled run is left alone. */
  List<TimedOut> timeOut(int max);

  /**
   * A run that has not ended by its deadline.
   *
   * @param generation in which it must still be
   * @param detail for people
   */
  record Overdue(RunId run, int generation, String detail) {}

  /** Raises the alert of runs that are still open; returns the runs that had none before. */
  Set<RunId> alertOverdue(List<Overdue> runs);

  /**
   * The answer to: did a run of the workflow succeed in time?
   *
   * @param version of the trigger that asks
   * @param at the instant; the cursor must still be there
   * @param until the end of the version, as it was read
   * @param next the instant to ask at next; null when there is none
   * @param alert for people; null when all is well
   */
  record Check(
      UUID version,
      Instant at,
      @Nullable Instant until,
      @Nullable Instant next,
      String reason,
      @Nullable String alert) {}

  /** Moves cursors, and writes the ledger and the alerts; returns the versions that it moved. */
  Set<UUID> check(List<Check> checks);

  /** False when one about late triggers was raised recently. */
  boolean alertLate(String detail);
}
