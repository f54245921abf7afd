package dev.belay.engine.statement;

import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkflowId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes of backfills. A workflow's control row is locked before its triggers, those
 * before its backfills, those before runs.
 */
public interface BackfillStatements {

  /**
   * Which instants, in which order.
   *
   * @param trigger null when the timing came with the request
   * @param timing the trigger as JSON
   * @param calendar the calendar of the timing as JSON; null when it names none
   */
  record Schedule(
      @Nullable TriggerId trigger,
      String timing,
      @Nullable String calendar,
      Instant from,
      Instant to,
      boolean forward) {}

  /**
   * How its runs are made.
   *
   * @param concurrency how many of them may be open at a time
   * @param params given values as JSON; defaults take the place of the others
   */
  record Rules(int concurrency, Existing existing, String params) {}

  /**
   * @param first the first instant in its order
   */
  record NewBackfill(
      BackfillId id,
      String tenant,
      String workflow,
      Schedule schedule,
      Rules rules,
      Instant first,
      int total) {}

  /** False when the workflow does not exist or is deleted. */
  boolean insert(NewBackfill backfill, String actor);

  /**
   * A backfill that creates runs.
   *
   * @param next the first instant that is not decided; null when all are
   * @param open how many of its runs are QUEUED or RUNNING
   * @param latest the latest version of its workflow; null when that is deleted
   * @param now by the clock of the database
   */
  record Running(
      BackfillId id,
      String tenant,
      String workflow,
      Schedule schedule,
      Rules rules,
      @Nullable Instant next,
      int open,
      @Nullable WorkflowId latest,
      Instant now) {}

  /**
   * RUNNING backfills, oldest first.
   *
   * @param after leaves this one and older ones out
   */
  List<Running> readRunning(@Nullable BackfillId after, int max);

  /**
   * Of these instants, those that have a run of the workflow, or had one according to the ledger of
   * its triggers or backfills.
   */
  Map<Instant, Existing.Found> readExisting(
      String tenant, String workflow, Collection<Instant> instants);

  /**
   * Locks the triggers that may still decide instants of the backfill: its own, or all of its
   * workflow when its timing came with the request.
   */
  void lockTriggers(String tenant, String workflow, @Nullable TriggerId trigger);

  /**
   * A decided instant.
   *
   * @param skipped why it has no run, else null
   */
  record Fire(Instant at, @Nullable String skipped, @Nullable RunId run) {}

  /**
   * Moves the cursor of a RUNNING backfill and locks it.
   *
   * @param from the cursor as it was read
   * @param to null when all instants are decided
   * @return false when it is not RUNNING any more, or its cursor is elsewhere
   */
  boolean advance(BackfillId id, Instant from, @Nullable Instant to, int fired, int skipped);

  void insertFires(BackfillId id, List<Fire> fires);

  /** Ends a RUNNING backfill whose instants are decided and whose runs have ended. */
  boolean complete(BackfillId id);

  /** Ends a RUNNING backfill that cannot continue. */
  boolean giveUp(BackfillId id, String reason);

  /** Locks the control row of its workflow, so that no run of it starts; false when unknown. */
  boolean lockWorkflow(BackfillId id);

  Optional<BackfillState> findState(BackfillId id);

  /** RUNNING to PAUSED. */
  boolean pause(BackfillId id, String reason);

  /** PAUSED to RUNNING. */
  boolean resume(BackfillId id);

  /** RUNNING or PAUSED to CANCELLED. */
  boolean cancel(BackfillId id, String reason);

  /** Requests the cancel of its QUEUED runs and marks them; returns how many. */
  int cancelQueued(BackfillId id, String actor);

  /** Its QUEUED and RUNNING runs. */
  List<RunId> readOpen(BackfillId id);
}
