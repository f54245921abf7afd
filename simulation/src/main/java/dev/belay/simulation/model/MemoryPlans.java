package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.plan.RunView.Failure;
import dev.belay.domain.plan.RunView.Life;
import dev.belay.domain.plan.RunView.TaskView;
import dev.belay.domain.spec.Expressions;
import dev.belay.engine.port.PlanReads;
import dev.belay.workflow.JsonValues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads of planning. */
final class MemoryPlans implements PlanReads {

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
                .put(
                    task.name,
                    new TaskView(
                        task.id,
                        task.state,
                        failure(task),
                        new Life(task.generation, task.deadlineAt != null)));
          }
          return tasks;
        });
  }

  private static @Nullable Failure failure(TaskRow task) {
    return task.state.isOwnFailure() && task.endedAt != null
        ? new Failure(task.reason, task.endedAt)
        : null;
  }

  private static StoredRun stored(RunRow run, Map<String, TaskView> tasks) {
    Map<String, Object> facts =
        Map.of(
            "id",
            run.id.toString(),
            "workflow",
            run.workflow,
            "tenant",
            run.tenant,
            "logical_date",
            run.logicalDate.toString(),
            "created_at",
            run.createdAt.toString());
    var scope = new Expressions.Scope(JsonValues.readObject(run.params), facts);
    var view = new RunView(run.state, run.ending(), scope, tasks);
    return new StoredRun(run.id, run.tenant, run.workflowId, view);
  }

  /** plan/read_spec. */
  @Override
  public String readSpec(WorkflowId workflow) {
    return tables.database.statement(
        statement -> statement.read(tables.workflow, workflow).orElseThrow());
  }
}
