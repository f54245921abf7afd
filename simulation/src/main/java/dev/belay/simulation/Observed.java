package dev.belay.simulation;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The store's content, for the checks. */
public interface Observed {

  record TaskChange(
      long id,
      TaskId task,
      @Nullable RunId run,
      @Nullable TaskState from,
      TaskState to,
      String reason,
      String actor,
      @Nullable DispatchId dispatch,
      Instant at) {}

  /** A recovered stall. */
  record Recovery(
      long id,
      RecoveryKind kind,
      @Nullable TaskId task,
      Duration sinceLastSign,
      Duration promised) {}

  /**
   * The end of a run for a trigger that waited for it.
   *
   * @param outcome pending until it is decided
   * @param run the run that it started
   */
  record ChainEnd(
      TriggerId trigger,
      RunId upstream,
      int generation,
      String outcome,
      @Nullable String reason,
      @Nullable RunId run) {}

  /** A run that the end of another started. */
  record ChainedRun(RunId run, RunId upstream, int depth, Instant logicalDate) {}

  record RunChange(long id, RunId run, @Nullable RunState from, RunState to) {}

  /**
   * @param notBefore the time that it waits for, if it does
   */
  record TaskNow(TaskId id, TaskState state, int generation, @Nullable Instant notBefore) {}

  /** What a task of a run waits for. */
  record Upstream(TriggerRule rule, List<TaskId> tasks) {}

  /** Empty for a task without a run, and where this is not visible. */
  default Optional<Upstream> upstreamOf(TaskId task) {
    return Optional.empty();
  }

  /**
   * @param lateOutcome an outcome that arrived when the attempt was over
   */
  record Attempt(
      DispatchId dispatch,
      Claimed claimed,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable Integer exitCode,
      @Nullable String lateOutcome,
      Details details) {

    public boolean ended() {
      return endedAt != null;
    }
  }

  /** What its claim wrote, and the session that it is bound to. */
  record Claimed(
      TaskId task,
      int number,
      int generation,
      WorkerId worker,
      SessionId session,
      long epoch,
      Instant dispatchedAt) {}

  /** What else is known about its end. */
  record Details(
      @Nullable String endReason,
      @Nullable Integer signal,
      @Nullable String detail,
      @Nullable String abortReason,
      @Nullable Long outputLost) {}

  /**
   * The changes of each task in the order in which they were made, tasks by id: the order in which
   * one statement changes several tasks is up to the database.
   */
  List<TaskChange> taskChangesAfter(long id);

  List<RunChange> runChangesAfter(long id);

  /** By trigger, run and generation. */
  List<ChainEnd> chainEnds();

  /** By id. */
  List<ChainedRun> chainedRuns();

  /**
   * Ends of runs without their row for a trigger that waits for them, and runs of chains that not
   * exactly one end started.
   */
  List<String> oddChains();

  ObservedBackfills backfills();

  List<TaskNow> tasks(Collection<TaskId> tasks);

  /** A dead letter of one generation of a task. */
  record DeadLetter(TaskId task, int generation, DeadLetterReason reason, boolean retried) {}

  /** By task and generation. */
  List<DeadLetter> deadLetters(Collection<TaskId> tasks);

  List<Attempt> attempts(Collection<DispatchId> dispatches);

  /**
   * Attempts that are open without being the current one of an active task, or vice versa, that are
   * lost, or that a deposed leader made.
   */
  List<String> oddAttempts();

  /** Tasks whose history does not show, or no longer shows, the steps that they took. */
  List<String> oddHistories();

  /**
   * Tasks and runs that will never be cancelled: idle, or QUEUED, with a cancel request of the run
   * and without a mark.
   */
  List<String> forgottenByCancel();

  List<Recovery> recoveriesAfter(long id);

  /** A task that holds places. */
  record Place(TaskId task, TaskQueue queue, String pool) {}

  /** Of all tasks that are DISPATCHED or RUNNING. */
  List<Place> places();

  /** The task queues of tasks that have one. */
  Map<TaskId, TaskQueue> queues(Collection<TaskId> tasks);

  /** The limits that are declared now. */
  Limits limits();

  /** Workflows that exceed their limit on RUNNING runs. */
  List<String> overLimit();

  /** Committed writes of a deposed leader; empty where that is not visible. */
  List<String> writesOfDeposed();

  /** Triggers, their ledger and the causes of runs. */
  ObservedTriggers triggers();

  /** Tasks, runs and marks that are not finished. */
  List<String> unfinished();
}
