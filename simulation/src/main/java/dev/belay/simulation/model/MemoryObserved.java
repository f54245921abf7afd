package dev.belay.simulation.model;

import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.ChainKey;
import dev.belay.simulation.Observed;
import dev.belay.simulation.ObservedBackfills;
import dev.belay.simulation.ObservedTriggers;
import dev.belay.workflow.SpecCodec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * Sees committed data. The ids of changes follow the order of commits: row ids are assigned at the
 * write, and a smaller one may commit later.
 */
final class MemoryObserved implements Observed {

  private static final Set<TaskState> CANCELLED_BY_PLAN =
      EnumSet.of(TaskState.WAITING, TaskState.PENDING, TaskState.SCHEDULED, TaskState.DEFERRED);

  private final Tables tables;
  private final RowChecks checks;
  private final Map<WorkflowId, WorkflowSpec> specs = new HashMap<>();

  MemoryObserved(Tables tables) {
    this.tables = tables;
    this.checks = new RowChecks(tables);
  }

  @Override
  public List<TaskChange> taskChangesAfter(long id) {
    var changes =
        after(
            tables.history,
            id,
            (number, row) ->
                new TaskChange(
                    number,
                    row.task(),
                    tables.task.committed(row.task()).orElseThrow().run,
                    row.step().from(),
                    row.step().to(),
                    row.step().reason(),
                    row.step().actor(),
                    row.step().dispatch(),
                    row.step().at()));
    changes.sort(Comparator.comparing(TaskChange::task));
    return changes;
  }

  private Map<QueueId, TaskQueue> queues(ModelStatement statement) {
    Map<QueueId, TaskQueue> queues = new HashMap<>();
    statement.rows(tables.taskQueue, any -> true).forEach(row -> queues.put(row.id(), row.queue()));
    return queues;
  }

  @Override
  public List<Place> places() {
    return tables.database.look(
        statement -> {
          Map<QueueId, TaskQueue> queues = queues(statement);
          return statement.rows(tables.task, row -> row.state.isActive()).stream()
              .filter(row -> row.queue != null)
              .map(
                  row ->
                      new Place(
                          row.id,
                          Objects.requireNonNull(queues.get(row.queue)),
                          Objects.requireNonNull(row.pool)))
              .toList();
        });
  }

  @Override
  public Map<TaskId, TaskQueue> queues(Collection<TaskId> tasks) {
    if (tasks.isEmpty()) {
      return Map.of();
    }
    return tables.database.look(
        statement -> {
          Map<QueueId, TaskQueue> queues = queues(statement);
          Map<TaskId, TaskQueue> found = new HashMap<>();
          for (TaskId task : tasks) {
            TaskQueue queue =
                statement
                    .read(tables.task, task)
                    .map(row -> row.queue)
                    .map(queues::get)
                    .orElse(null);
            if (queue != null) {
              found.put(task, queue);
            }
          }
          return found;
        });
  }

  @Override
  public Limits limits() {
    return tables.database.look(statement -> new MemoryRouting(tables).limits(statement));
  }

  @Override
  public List<RunChange> runChangesAfter(long id) {
    var changes =
        after(
            tables.runHistory,
            id,
            (number, row) -> new RunChange(number, row.run(), row.from(), row.to()));
    changes.sort(Comparator.comparing(RunChange::run));
    return changes;
  }

  @Override
  public List<ChainEnd> chainEnds() {
    return tables.database.look(statement -> statement.rows(tables.chainFire, any -> true)).stream()
        .map(
            row ->
                new ChainEnd(
                    row.key().trigger(),
                    row.key().upstream(),
                    row.key().generation(),
                    row.verdict() == null ? "pending" : row.verdict().outcome(),
                    row.verdict() instanceof Verdict.Skipped(var reason) ? reason : null,
                    row.verdict() instanceof Verdict.Fired(var run) ? run : null))
        .toList();
  }

  @Override
  public List<ChainedRun> chainedRuns() {
    var runs = new ArrayList<ChainedRun>();
    for (RunRow run :
        tables.database.look(statement -> statement.rows(tables.run, row -> row.cause != null))) {
      RunId upstream = run.cause == null ? null : run.cause.upstream();
      if (upstream != null) {
        runs.add(new ChainedRun(run.id, upstream, run.depth(), run.logicalDate));
      }
    }
    return runs;
  }

  @Override
  public List<String> oddChains() {
    return tables.database.look(
        statement -> {
          var odd = new ArrayList<String>();
          for (TriggerVersionRow version :
              statement.rows(
                  tables.triggerVersion, row -> row.kind.equals("workflow") && row.isLive())) {
            for (RunRow run :
                statement.rows(
                    tables.run, row -> !row.isOpen() && row.workflow.equals(version.source))) {
              var key = new ChainKey(version.trigger, run.id, run.generation);
              if (statement.read(tables.chainFire, key).isEmpty()) {
                odd.add(
                    "the end of run " + run.id + " in generation " + run.generation + " is lost");
              }
            }
          }
          var started = new ArrayList<RunId>();
          for (ChainFireRow row : statement.rows(tables.chainFire, any -> true)) {
            if (row.verdict() instanceof Verdict.Fired(var run)) {
              started.add(run);
            }
          }
          var runs = new ArrayList<RunId>();
          for (RunRow run :
              statement.rows(
                  tables.run, row -> row.cause != null && row.cause.upstream() != null)) {
            runs.add(run.id);
          }
          started.sort(Comparator.naturalOrder());
          if (!started.equals(runs)) {
            odd.add("ends started " + started + ", and there are " + runs);
          }
          return odd;
        });
  }

  @Override
  public List<Recovery> recoveriesAfter(long id) {
    return after(
        tables.recovery,
        id,
        (number, row) ->
            new Recovery(number, row.kind(), row.task(), row.sinceLastSign(), row.promised()));
  }

  private static <R, T> List<T> after(
      Table<Long, R> table, long id, BiFunction<Long, R, T> observed) {
    var found = new ArrayList<T>();
    for (int i = Math.toIntExact(id); i < table.log.size(); i++) {
      found.add(observed.apply(i + 1L, table.committed(table.log.get(i)).orElseThrow()));
    }
    return found;
  }

  @Override
  public List<TaskNow> tasks(Collection<TaskId> tasks) {
    var now = new ArrayList<TaskNow>(tasks.size());
    for (TaskId id : new TreeSet<>(tasks)) {
      tables
          .task
          .committed(id)
          .ifPresent(task -> now.add(new TaskNow(id, task.state, task.generation, task.notBefore)));
    }
    return now;
  }

  @Override
  public List<DeadLetter> deadLetters(Collection<TaskId> tasks) {
    var letters = new ArrayList<DeadLetter>();
    for (DeadLetterId id : tables.deadLetter.rows.keySet()) {
      tables
          .deadLetter
          .committed(id)
          .filter(row -> tasks.contains(row.task()))
          .ifPresent(
              row ->
                  letters.add(
                      new DeadLetter(
                          row.task(), row.generation(), row.reason(), row.retried() != null)));
    }
    letters.sort(Comparator.comparing(DeadLetter::task).thenComparingInt(DeadLetter::generation));
    return letters;
  }

  @Override
  public Optional<Upstream> upstreamOf(TaskId id) {
    return tables
        .task
        .committed(id)
        .flatMap(task -> task.run == null ? Optional.empty() : upstreamOf(task, task.run));
  }

  private Optional<Upstream> upstreamOf(TaskRow task, RunId run) {
    var workflow = tables.run.committed(run).orElseThrow().workflowId;
    var spec =
        specs.computeIfAbsent(
            workflow, first -> SpecCodec.fromJson(tables.workflow.committed(first).orElseThrow()));
    return spec.tasks().stream()
        .filter(each -> each.name().equals(task.name))
        .findFirst()
        .map(
            each ->
                new Upstream(
                    each.triggerRule(),
                    each.dependsOn().stream()
                        .distinct()
                        .map(name -> tables.taskOfRun.committed(new NameInRun(run, name)))
                        .flatMap(Optional::stream)
                        .toList()));
  }

  @Override
  public List<Attempt> attempts(Collection<DispatchId> dispatches) {
    checks.refresh();
    var found = new ArrayList<Attempt>(dispatches.size());
    for (DispatchId id : new TreeSet<>(dispatches)) {
      checks.attempt(id).map(MemoryObserved::observed).ifPresent(found::add);
    }
    return found;
  }

  private static Attempt observed(AttemptRow row) {
    return new Attempt(
        row.dispatch,
        new Claimed(
            row.task,
            row.number,
            row.generation,
            row.worker,
            row.session,
            row.epoch,
            row.dispatchedAt),
        row.startedAt,
        row.endedAt,
        row.exitCode,
        row.lateOutcome,
        new Details(row.endReason, row.signal, row.detail, row.abortReason, row.outputLost));
  }

  @Override
  public List<String> oddAttempts() {
    checks.refresh();
    return checks.oddAttempts();
  }

  @Override
  public List<String> oddHistories() {
    checks.refresh();
    return checks.oddHistories();
  }

  @Override
  public List<String> forgottenByCancel() {
    checks.refresh();
    return tables.database.look(
        statement -> {
          var forgotten = new ArrayList<String>();
          for (RunRow run : statement.rows(tables.run, row -> row.cancelRequestedAt != null)) {
            if (isMarked(statement, run.id)) {
              continue;
            }
            if (run.state == RunState.QUEUED) {
              forgotten.add("run " + run.id + " is " + run.state);
            }
            for (TaskId id : checks.tasksOf(run.id)) {
              TaskRow task = statement.read(tables.task, id).orElseThrow();
              if (CANCELLED_BY_PLAN.contains(task.state)) {
                forgotten.add("task " + task.name + " " + task.id + " is " + task.state);
              }
            }
          }
          return forgotten;
        });
  }

  private boolean isMarked(ModelStatement statement, RunId run) {
    return !statement.rows(tables.mark, mark -> mark.run.equals(run)).isEmpty();
  }

  @Override
  public ObservedBackfills backfills() {
    return new MemoryObservedBackfills(tables);
  }

  @Override
  public List<String> overLimit() {
    return tables.database.look(
        statement -> {
          var running = new TreeMap<WorkflowName, Integer>();
          for (RunRow run :
              statement.rows(tables.run, row -> row.state == RunState.RUNNING && row.counted)) {
            running.merge(run.name(), 1, Integer::sum);
          }
          var over = new ArrayList<String>();
          running.forEach(
              (name, count) -> {
                ControlRow control = statement.read(tables.control, name).orElse(null);
                if (control != null && control.maxActive != null && count > control.maxActive) {
                  over.add(name.name() + " has " + count + " of " + control.maxActive);
                }
              });
          return over;
        });
  }

  @Override
  public List<String> writesOfDeposed() {
    return List.copyOf(tables.writesOfDeposed);
  }

  @Override
  public ObservedTriggers triggers() {
    return new MemoryObservedTriggers(tables);
  }

  @Override
  public List<String> unfinished() {
    return tables.database.look(
        statement -> {
          var lines = new TreeSet<String>();
          for (TaskRow task : statement.rows(tables.task, row -> row.endedAt == null)) {
            lines.add(
                "task "
                    + task.name
                    + " "
                    + task.id
                    + " is "
                    + task.state
                    + " ("
                    + task.reason
                    + ")");
          }
          for (RunRow run : statement.rows(tables.run, row -> row.endedAt == null)) {
            lines.add("run " + run.workflow + " " + run.id + " is " + run.state);
          }
          for (ChainFireRow end : statement.rows(tables.chainFire, row -> row.verdict() == null)) {
            lines.add("end " + end.key() + " is not decided");
          }
          for (MarkRow mark : statement.rows(tables.mark, any -> true)) {
            lines.add("mark " + mark.id + " of run " + mark.run);
          }
          return List.copyOf(lines);
        });
  }
}
