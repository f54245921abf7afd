package dev.belay.engine.statement;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.EventId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.schedule.DueInstants.Decision;
import dev.belay.engine.port.Workflow;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes of triggers. A workflow's control row is locked before its triggers, those before runs.
 */
public interface ScheduleStatements {

  /** By the clock of the database. */
  Instant now();

  /**
   * A trigger that a workflow has or had.
   *
   * @param live its live version; null when the workflow no longer has it
   * @param spec of the live version
   * @param covered instants up to then are decided, or the version that has them still decides
   *     them: an instant that fires for missed ones, and those of a version that ended; null when
   *     there are none
   */
  record Known(
      TriggerId id,
      Workflow workflow,
      String name,
      @Nullable UUID live,
      @Nullable String spec,
      @Nullable Instant covered) {}

  /** Locks the live versions of all triggers of these workflows. */
  List<Known> lockTriggers(Collection<Workflow> workflows);

  /**
   * Ends live versions.
   *
   * @param versions with their ends: instants up to then stay theirs
   */
  void retire(Map<UUID, Instant> versions);

  /**
   * @param trigger new, or known from before
   * @param replaces the version that was live before
   * @param source the workflow or event that it waits for; null when it waits for times
   * @param from its instants are after it
   * @param next its first instant; null when there is none, or when it waits for no time
   * @param due when the leader looks at it
   */
  record NewVersion(
      UUID id,
      TriggerId trigger,
      @Nullable UUID replaces,
      Workflow workflow,
      String name,
      String kind,
      @Nullable String source,
      String spec,
      Instant from,
      @Nullable Instant next,
      @Nullable Instant due) {}

  /**
   * A trigger that was paused when its last version ended stays paused. A replay that its last
   * version had not done yet is done by the new one.
   */
  void insertVersions(List<NewVersion> versions, Instant now);

  /**
   * The cursor of a version.
   *
   * @param seen what the decision was made from: the write does nothing when it has changed
   * @param replayFrom set when instants that a pause skipped are still to be decided again
   */
  record Cursor(
      UUID version,
      Seen seen,
      @Nullable Instant next,
      @Nullable Instant due,
      @Nullable Instant replayFrom) {}

  record Seen(
      @Nullable Instant next,
      @Nullable Instant until,
      boolean paused,
      @Nullable Instant replayFrom) {}

  /** Moves cursors forward, and locks their versions; returns the versions that it moved. */
  Set<UUID> advance(List<Cursor> cursors);

  /**
   * A row of the ledger.
   *
   * @param run set when the instant fired
   */
  record Fire(TriggerId trigger, Decision decision, @Nullable RunId run) {}

  void insertFires(List<Fire> fires);

  /** An instant of a trigger. */
  record InstantKey(TriggerId trigger, Instant at) {}

  /**
   * Of these instants, those that a backfill ran; not one that runs all instants. Call it behind
   * the lock of their versions.
   */
  Map<InstantKey, BackfillId> readBackfilled(Collection<InstantKey> instants);

  /** Changes rows that were skipped because of a pause; returns the instants that it changed. */
  Set<Instant> changePaused(TriggerId trigger, List<Fire> fires);

  /**
   * Locks the control rows of these workflows and reads their open runs that count against {@code
   * max_active}, the oldest first.
   */
  Map<Workflow, List<RunId>> lockOpenRuns(Collection<Workflow> workflows);

  /**
   * A run that Belay starts by itself.
   *
   * @param params as JSON, with the defaults
   * @param counted it waits for {@code max_active} and counts against it
   */
  record NewRun(
      RunId id,
      String tenant,
      WorkflowId workflowId,
      String workflow,
      String params,
      Instant logicalDate,
      boolean counted,
      Cause cause) {}

  /**
   * What caused a run.
   *
   * @param depth how many runs, one the cause of the next, led to this one
   */
  record Cause(
      @Nullable TriggerId trigger,
      @Nullable BackfillId backfill,
      @Nullable RunId upstream,
      @Nullable EventId event,
      int depth) {

    public static Cause trigger(TriggerId trigger) {
      return new Cause(trigger, null, null, null, 0);
    }
  }

  /**
   * Inserts QUEUED runs with their history, feed and marks, as a person's trigger does. Skips runs
   * of deleted workflows.
   *
   * @return the runs that it inserted
   */
  Set<RunId> insertRuns(List<NewRun> runs, String actor);
}
