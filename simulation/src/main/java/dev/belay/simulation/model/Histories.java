package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Append-only rows. */
final class Histories {

  private Histories() {}

  /** A change of a task, as the view history shows it. */
  record Step(
      @Nullable TaskState from,
      TaskState to,
      String reason,
      String actor,
      @Nullable DispatchId dispatch,
      Instant at) {}

  /**
   * A step in the log of all steps. PostgreSQL has no such log: its view must show the same.
   *
   * @param attempt how many attempts the task had had
   * @param stored it is a row of the table step; the view derives all others
   */
  record TaskChange(long id, TaskId task, int attempt, boolean stored, Step step) {}

  /** A row of the table run_history. */
  record RunChange(
      long id,
      RunId run,
      @Nullable RunState from,
      RunState to,
      String reason,
      String actor,
      Instant at) {}

  /** A row of the table recovery. */
  record Recovery(
      long id,
      RecoveryKind kind,
      @Nullable TaskId task,
      @Nullable RunId run,
      @Nullable DispatchId dispatch,
      Duration sinceLastSign,
      Duration promised,
      Instant at) {}

  /** A row of the table idempotency. */
  record Key(String key, String requestHash, List<UUID> ids) {}
}
