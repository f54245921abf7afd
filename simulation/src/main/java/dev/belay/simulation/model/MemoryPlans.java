package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.plan.RunView.Failure;
import dev.belay.domain.plan.RunView.TaskView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanStore;
import dev.belay.workflow.JsonValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Planning: {@link dev.belay.store.plan.PostgresPlans}. */
final class MemoryPlans implements PlanStore {

  private final Tables tables;

  MemoryPlans(Tables tables) {
    this.tables = tables;
  }

  /** plan/read_marks and plan/read_marks_except. */
  @Override
  public List<Mark> readMarks(int max, Collection<RunId> except) {
    return tables.database.statement(
        statement -> {
          var marks = new ArrayList<Mark>();
          for (MarkRow mark : statement.rows(tables.mark, mark -> !except.contains(mark.run))) {
            if (marks.size() < max) {
              marks.add(new Mark(mark.id, mark.run));
            }
          }
          return marks;
        });
  }

  /** Two statements, each with its own snapshot: the tasks may be older than their run. */
  @Override
  public List<StoredRun> readRuns(Collection<RunId> runs) {
    var wanted = new TreeSet<>(runs);
    Map<RunId, Map<String, TaskView>> tasks = readTasks(wanted);
    return tables.database.statement(
        statement -> {
          var stored = new ArrayList<StoredRun>();
          for (RunId id : wanted) {
            statement
                .read(tables.run, id)
                .ifPresent(run -> stored.add(stored(run, tasks.getOrDefault(id, Map.of()))));
          }
          return stored;
        });
  }

  /** plan/read_tasks. */
  private Map<RunId, Map<String, TaskView>> readTasks(Set<RunId> runs) {
    return tables.database.statement(
        statement -> {
          var tasks = new HashMap<RunId, Map<String, TaskView>>();
          for (TaskRow task :
              statement.rows(tables.task, row -> row.run != null && runs.contains(row.run))) {
            tasks
                .computeIfAbsent(task.run, run -> new HashMap<>())
                .put(task.name, new TaskView(task.id, task.state, failure(task)));
          }
          return tasks;
        });
  }

  private static @Nullable Failure failure(TaskRow task) {
    return switch (task.state) {
      case FAILED, TIMEOUT, CANCELLED, DENIED, OUTPUT_QUARANTINED ->
          task.endedAt == null ? null : new Failure(task.reason, task.endedAt);
      case SUCCEEDED,
          SKIPPED,
          UPSTREAM_FAILED,
          WAITING,
          PENDING,
          APPROVAL_REQUIRED,
          SCHEDULED,
          DISPATCHED,
          RUNNING,
          DEFERRED,
          BLOCKED ->
          null;
    };
  }

  private static StoredRun stored(RunRow run, Map<String, TaskView> tasks) {
    String created = run.createdAt.toString();
    Map<String, Object> facts =
        Map.of(
            "id",
            run.id.toString(),
            "workflow",
            run.workflow,
            "tenant",
            run.tenant,
            "logical_date",
            created,
            "created_at",
            created);
    var scope = new Expressions.Scope(JsonValues.readObject(run.params), facts);
    var view = new RunView(run.state, run.cancelRequestedAt != null, scope, tasks);
    return new StoredRun(run.id, run.tenant, run.workflowId, view);
  }

  /** plan/read_spec. */
  @Override
  public String readSpec(WorkflowId workflow) {
    return tables.database.statement(
        statement -> statement.read(tables.workflow, workflow).orElseThrow());
  }

  @Override
  public Applied apply(Epoch epoch, List<PlannedRun> planned, Collection<Long> marks) {
    return tables.database.transaction(
        transaction -> {
          Fence.enter(tables, transaction, epoch);
          var writes = new MemoryPlanWrites(tables, transaction);
          var gate = MemoryGate.of(tables, transaction, runs(planned, MemoryPlans::startsOrEnds));
          Map<RunId, String> held = gate.held(runs(planned, MemoryPlans::waitsForItsTurn));
          List<PlannedRun> plans =
              planned.stream().filter(plan -> !held.containsKey(plan.run().id())).toList();
          int created = writes.insertTasks(plans);
          writes.setDeadlines(plans);
          Map<TaskId, TaskState> locked = writes.lockTasks(plans);
          Set<TaskId> moved = writes.moveTasks(plans);
          Set<WorkerId> toAbort = writes.abortTasks(plans);
          Set<RunId> stale = new TreeSet<>();
          int lost = 0;
          for (PlannedRun plan : plans) {
            int lostHere = lost(plan.plan(), moved, locked);
            if (lostHere > 0) {
              stale.add(plan.run().id());
              lost += lostHere;
            }
          }
          Map<RunId, String> ended = writes.advanceRuns(plans, stale);
          writes.deleteMarks(marks, planned);
          writes.mark(stale);
          gate.hold(held);
          int released = plans.stream().anyMatch(MemoryPlans::startsOrEnds) ? gate.release() : 0;
          return new Applied(created, ended(plans, moved), toAbort, ended, lost, released);
        });
  }

  private static Map<TaskState, Integer> ended(List<PlannedRun> plans, Set<TaskId> moved) {
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    for (PlannedRun planned : plans) {
      for (Plan.Creation creation : planned.plan().creations()) {
        if (creation.state().isTerminal()) {
          ended.merge(creation.state(), 1, Integer::sum);
        }
      }
      for (Plan.Move move : planned.plan().moves()) {
        if (move.to().isTerminal() && moved.contains(move.id())) {
          ended.merge(move.to(), 1, Integer::sum);
        }
      }
    }
    return ended;
  }

  private static boolean startsOrEnds(PlannedRun planned) {
    return planned.run().view().state() == RunState.QUEUED || planned.plan().end() != null;
  }

  private static boolean waitsForItsTurn(PlannedRun planned) {
    var view = planned.run().view();
    return view.state() == RunState.QUEUED && !view.cancelRequested();
  }

  private static List<RunId> runs(List<PlannedRun> planned, Predicate<PlannedRun> which) {
    return planned.stream().filter(which).map(plan -> plan.run().id()).toList();
  }

  private static int lost(Plan plan, Set<TaskId> moved, Map<TaskId, TaskState> locked) {
    int lost = 0;
    for (Plan.Move move : plan.moves()) {
      lost += moved.contains(move.id()) ? 0 : 1;
    }
    for (TaskId abort : plan.aborts()) {
      TaskState state = locked.get(abort);
      lost += state != null && state.isActive() ? 0 : 1;
    }
    return lost;
  }

  /** plan/postpone_marks. */
  @Override
  public void postpone(Epoch epoch, Collection<Long> marks) {
    tables.database.<Integer>transaction(
        transaction -> {
          Fence.enter(tables, transaction, epoch);
          return transaction.statement(
              statement -> {
                var runs = new TreeSet<RunId>();
                for (Long id : new TreeSet<>(marks)) {
                  var mark = statement.read(tables.mark, id);
                  if (mark.isPresent() && statement.delete(tables.mark, id)) {
                    runs.add(mark.get().run);
                  }
                }
                runs.forEach(run -> tables.mark(statement, run, true));
                return runs.size();
              });
        });
  }

  @Override
  public boolean isRefused(RuntimeException failure) {
    return failure instanceof UniqueViolation;
  }
}
