package dev.belay.engine.port;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.RunLimits.ExpectBy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads of the promises of runs, without locks. */
public interface PromiseReads {

  Next readNext();

  /**
   * The time until each promise is due next; zero or less means now, null that none waits.
   *
   * @param timeout until a RUNNING run has run for too long
   * @param deadline until an open run should have ended
   * @param check until a workflow should have had a run
   */
  record Next(@Nullable Duration timeout, @Nullable Duration deadline, @Nullable Duration check) {}

  /** Open runs that are past their deadline and have no alert, the longest overdue first. */
  List<OverdueRun> readOverdue(int max);

  /**
   * @param deadline from its creation, or from its last retry
   * @param late since the deadline passed
   * @param waitsFor for people; a few of its open tasks, or why it does not start
   */
  record OverdueRun(
      RunId id,
      int generation,
      WorkflowName workflow,
      RunState state,
      Duration deadline,
      Duration late,
      List<String> waitsFor) {}

  record WorkflowName(String tenant, String name) {}

  /**
   * Checks that have been due for at least this long, the longest due first.
   *
   * @param settle a run that ended in time may become visible a little later
   */
  List<DueCheck> readChecks(Duration settle, int max);

  /**
   * @param version of the trigger
   * @param at the instant that is due
   * @param until null while the version is live
   * @param paused its workflow is
   */
  record DueCheck(
      UUID version,
      WorkflowName workflow,
      ExpectBy expectBy,
      Instant at,
      @Nullable Instant until,
      boolean paused) {}

  /** The runs of a workflow that ended after one instant and not after another. */
  record Window(UUID version, WorkflowName workflow, Instant after, Instant upTo) {}

  /** What each window holds. A run of a backfill stands for another day, so it does not count. */
  Map<UUID, Found> readFound(List<Window> windows);

  /**
   * @param succeeded one of the window that did
   * @param newest the newest run of the workflow, in the window or not
   */
  record Found(@Nullable RunId succeeded, @Nullable NewestRun newest) {}

  record NewestRun(RunId id, RunState state, @Nullable String reason) {}

  /**
   * Instants that fired later than promised.
   *
   * @param since decided after this; null means in the last minute
   */
  Late readLate(@Nullable Instant since, Duration promised);

  /**
   * @param now by the clock of the database
   */
  record Late(Instant now, int count, Optional<LateInstant> worst) {}

  record LateInstant(WorkflowName workflow, String trigger, Instant at, Duration late) {}
}
