package dev.belay.simulation.model;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.run.RunState;
import dev.belay.engine.port.ChainKey;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.BackfillStatements;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The tables of the migrations, as far as the engine's ports use them. */
final class Tables {

  final Database database;
  final Guards guards;
  final Table<TaskId, TaskRow> task = Table.logged("task", TaskRow::copy);
  final Table<NumberInTask, AttemptRow> pastAttempt =
      Table.logged("past_attempt", AttemptRow::copy);

  /** By the text of the task queue. */
  final Table<String, QueueRow> taskQueue = new Table<>("task_queue", same -> same);

  final Table<Boolean, RoutingRow> routing = new Table<>("routing_version", same -> same);
  final Table<TenantKey, BucketRow> rateBucket = new Table<>("rate_bucket", same -> same);
  final Table<RunId, RunRow> run = new Table<>("run", RunRow::copy);
  final Table<WorkerId, WorkerRow> worker = new Table<>("worker", WorkerRow::copy);
  final Table<WorkerId, KeyRow> workerKey = new Table<>("worker_key", KeyRow::copy);
  final Table<Long, MarkRow> mark = new Table<>("mark", MarkRow::copy);
  final Table<WorkflowName, ControlRow> control = new Table<>("workflow_control", ControlRow::copy);
  final Table<TriggerId, TriggerRow> trigger = new Table<>("trigger", same -> same);
  final Table<UUID, TriggerVersionRow> triggerVersion =
      Table.logged("trigger_version", TriggerVersionRow::copy);
  final Table<FireKey, FireRow> fire = Table.logged("fire", FireRow::copy);
  final Table<BackfillId, BackfillRow> backfill = new Table<>("backfill", BackfillRow::copy);
  final Table<BackfillRow.FireKey, BackfillStatements.Fire> backfillFire =
      new Table<>("backfill_fire", same -> same);
  final Table<DeadLetterId, DeadLetterRow> deadLetter = new Table<>("dead_letter", same -> same);
  final Table<String, ReplicaRow> replica = new Table<>("replica", ReplicaRow::copy);
  final Table<Instant, Outages.Outage> outage = new Table<>("outage", same -> same);
  final Table<Boolean, LeadershipRow> leadership = new Table<>("leadership", LeadershipRow::copy);

  final Table<ChainKey, ChainFireRow> chainFire = Table.logged("chain_fire", same -> same);

  /** The spec of each version, as JSON. */
  final Table<WorkflowId, String> workflow = new Table<>("workflow", same -> same);

  /** The unique versions of each workflow. */
  final Table<WorkflowVersion, WorkflowId> version = new Table<>("version", same -> same);

  /** The unique index of the tasks of runs. */
  final Table<NameInRun, TaskId> taskOfRun = new Table<>("task_of_run", same -> same);

  /** Every step of a task, stored or derived. */
  final Table<Long, Histories.TaskChange> history = Table.logged("history", same -> same);

  /** Rows of the table step for ends that were derived until their task was reopened. */
  final Table<Long, Histories.TaskChange> storedEnd = Table.logged("stored_end", same -> same);

  final Table<Long, Histories.RunChange> runHistory = Table.logged("run_history", same -> same);
  final Table<Long, Histories.Recovery> recovery = Table.logged("recovery", same -> same);
  final Table<String, Histories.Key> idempotency = new Table<>("idempotency", same -> same);

  /** Shared by a leader's writes, exclusive for a new leader. */
  final RowLock epochLock = new RowLock();

  final LeaderLock leaderLock = new LeaderLock();

  final List<String> writesOfDeposed = new ArrayList<>();

  private final Sequence taskQueues = new Sequence();
  private final Sequence marks = new Sequence();
  private final Sequence histories = new Sequence();
  private final Sequence runHistories = new Sequence();
  private final Sequence recoveries = new Sequence();

  Tables(InstantSource clock, Guards guards) {
    this.database = new Database(clock);
    this.guards = guards;
    database.<Integer>statement(
        statement -> {
          statement.insert(leadership, true, new LeadershipRow());
          statement.insert(routing, true, RoutingRow.NOTHING);
          return 0;
        });
  }

  /** "This run changed". */
  void mark(ModelStatement statement, RunId run) {
    mark(statement, run, false);
  }

  void mark(ModelStatement statement, RunId run, boolean postponed) {
    long id = statement.next(marks);
    var row = new MarkRow(id, run);
    row.postponed = postponed;
    statement.insert(mark, id, row);
  }

  /** The newest version of a workflow. */
  Optional<WorkflowVersion> latest(ModelStatement statement, WorkflowName name) {
    var newest = new WorkflowVersion(name, Integer.MAX_VALUE);
    var found = version.rows.floorKey(newest);
    while (found != null && found.name().equals(name)) {
      if (statement.read(version, found).isPresent()) {
        return Optional.of(found);
      }
      found = version.rows.lowerKey(found);
    }
    return Optional.empty();
  }

  /** When a run of this version that is created or retried now should have ended. */
  @Nullable Instant deadline(ModelStatement statement, WorkflowId version) {
    Duration deadline =
        SpecCodec.fromJson(statement.read(workflow, version).orElseThrow()).run().deadline();
    return deadline == null ? null : statement.now().plusMillis(deadline.toMillis());
  }

  boolean isDeleted(ModelStatement statement, WorkflowName name) {
    return statement.read(control, name).filter(row -> row.deletedAt != null).isPresent();
  }

  /** Writes a row of the table step. */
  void stored(ModelStatement statement, TaskRow now, Step step) {
    log(statement, now, true, step);
  }

  /** Writes no row: the view history derives the step from the rows of the task. */
  void derived(ModelStatement statement, TaskRow now, Step step) {
    log(statement, now, false, step);
  }

  /** Writes the row of the table step for the usual end of a task, which is already in the log. */
  void storeEnd(ModelStatement statement, TaskRow ended) {
    long id = statement.next(histories);
    int attempt = Math.toIntExact(ended.fencingToken);
    statement.insert(
        storedEnd,
        id,
        new Histories.TaskChange(id, ended.id, attempt, true, HistoryView.usualEnd(ended)));
  }

  private void log(ModelStatement statement, TaskRow now, boolean stored, Step step) {
    long id = statement.next(histories);
    int attempt = Math.toIntExact(now.fencingToken);
    statement.insert(history, id, new Histories.TaskChange(id, now.id, attempt, stored, step));
  }

  /** Copies the attempt of a task to the past ones. */
  void keepAttempt(ModelStatement statement, TaskRow task) {
    var past = new AttemptRow(task);
    statement.insert(pastAttempt, new NumberInTask(past.task, past.number), past);
  }

  /** The keys of the past attempts of a task, oldest first. */
  List<NumberInTask> pastAttempts(TaskId task) {
    var first = new NumberInTask(task, 0);
    var last = new NumberInTask(task, Integer.MAX_VALUE);
    return List.copyOf(pastAttempt.rows.subMap(first, last).keySet());
  }

  /** Asks the attempt to end; returns the task unless its row does not match. */
  Optional<TaskRow> abort(
      ModelStatement statement, TaskId id, Predicate<TaskRow> fits, Abort abort) {
    return statement.update(
        task,
        id,
        row -> row.state.isActive() && isFirst(row) && fits.test(row),
        row -> {
          row.abort = abort;
          row.abortAt = statement.now();
        });
  }

  /** The first request to end an attempt stays. */
  boolean isFirst(TaskRow row) {
    return guards.pass(RaceGuard.FIRST_REASON, row.abort == null);
  }

  void changed(
      ModelStatement statement,
      RunId now,
      @Nullable RunState from,
      RunState to,
      String reason,
      String actor) {
    long id = statement.next(runHistories);
    statement.insert(
        runHistory, id, new Histories.RunChange(id, now, from, to, reason, actor, statement.now()));
  }

  QueueId nextQueue(ModelStatement statement) {
    return new QueueId(statement.next(taskQueues));
  }

  long nextRecovery(ModelStatement statement) {
    return statement.next(recoveries);
  }
}
