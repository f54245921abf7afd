package dev.belay.simulation.model;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.runqueue.RunQueue;
import dev.belay.engine.schedule.TriggerChanges;
import dev.belay.engine.schedule.TriggerChanges.Wanted;
import dev.belay.simulation.Intake;
import dev.belay.simulation.model.Histories.Step;
import dev.belay.simulation.model.MemoryTransactions.MemoryStatements;
import dev.belay.store.Retry;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Accepts work like dev.belay.store.intake, for callers that use each key for one request. */
final class MemoryIntake implements Intake {

  private static final String TENANT = WorkflowSpec.DEFAULT_TENANT;
  private static final String ACTOR = "client";
  private static final String REQUEST_HASH = "00";

  private final Tables tables;
  private final Ids ids;
  private final Hints hints;
  private final QueueCatalog queues;

  MemoryIntake(Tables tables, Ids ids, Hints hints, QueueCatalog queues) {
    this.queues = queues;
    this.tables = tables;
    this.ids = ids;
    this.hints = hints;
  }

  @Override
  public List<TaskId> submit(String key, List<WantedTask> tasks) {
    var fresh = new ArrayList<UUID>();
    tasks.forEach(task -> fresh.add(ids.next()));
    var queueIds = queues.ids(tasks.stream().map(WantedTask::queue).toList());
    List<UUID> accepted =
        tables.database.transaction(
            transaction -> {
              Optional<List<UUID>> earlier = claim(transaction, key, fresh);
              if (earlier.isEmpty()) {
                transaction.statement(statement -> insertTasks(statement, fresh, tasks, queueIds));
              }
              return earlier.orElse(fresh);
            });
    hint(tasks, queueIds);
    return accepted.stream().map(TaskId::new).toList();
  }

  private void hint(List<WantedTask> tasks, Map<TaskQueue, QueueId> queueIds) {
    List<QueueId> ready =
        tasks.stream()
            .filter(task -> task.timer() == null)
            .map(task -> Objects.requireNonNull(queueIds.get(task.queue())))
            .distinct()
            .toList();
    if (!ready.isEmpty()) {
      hints.workReady(ready);
    }
    tasks.stream()
        .map(WantedTask::timer)
        .filter(Objects::nonNull)
        .map(timer -> timer.after() == null ? Duration.ZERO : timer.after())
        .min(Comparator.naturalOrder())
        .ifPresent(hints::dueIn);
  }

  /** The ids that the key already has; empty when it now gets the fresh ones. */
  private Optional<List<UUID>> claim(Transaction transaction, String key, List<UUID> fresh) {
    // intake/claim_keys
    boolean won =
        transaction.statement(
            statement ->
                statement.insertIfAbsent(
                    tables.idempotency,
                    key,
                    new Histories.Key(key, REQUEST_HASH, List.copyOf(fresh))));
    // intake/read_keys
    return won
        ? Optional.empty()
        : transaction.statement(
            statement -> statement.read(tables.idempotency, key).map(Histories.Key::ids));
  }

  /** intake/insert_tasks. */
  private int insertTasks(
      ModelStatement statement,
      List<UUID> fresh,
      List<WantedTask> tasks,
      Map<TaskQueue, QueueId> queueIds) {
    Instant now = statement.now();
    for (int i = 0; i < tasks.size(); i++) {
      var wanted = tasks.get(i);
      var task =
          new TaskRow(
              new TaskId(fresh.get(i)),
              TENANT,
              null,
              wanted.name(),
              wanted.priority(),
              wanted.pool(),
              wanted.work().policy().isStrict(),
              now);
      var admitted = Admission.submit(wanted.timer(), false);
      task.state = admitted.state();
      task.reason = admitted.reason();
      task.stateSince = now;
      task.work = wanted.work();
      task.queue = queueIds.get(wanted.queue());
      task.notBefore = TaskRow.notBefore(wanted.timer(), now);
      if (wanted.deadline() != null) {
        task.deadlineAt = now.plusMillis(wanted.deadline().toMillis());
      }
      var created = new Step(null, task.state, task.reason, ACTOR, null, now);
      if (HistoryView.createdAsUsual(task)) {
        task.createdBy = ACTOR;
        tables.derived(statement, task, created);
      } else {
        tables.stored(statement, task, created);
      }
      statement.insert(tables.task, task.id, task);
    }
    return tasks.size();
  }

  @Override
  public void register(WorkflowSpec spec) {
    for (int tries = 1; ; tries++) {
      try {
        tables.database.<Boolean>transaction(transaction -> register(transaction, spec));
        return;
      } catch (UniqueViolation anotherVersion) {
        if (tries == Retry.TRIES_MAX) {
          throw anotherVersion;
        }
      }
    }
  }

  private boolean register(Transaction transaction, WorkflowSpec spec) {
    var name = new WorkflowName(TENANT, spec.name());
    var id = new WorkflowId(ids.next());
    var json = SpecCodec.toJson(spec);
    boolean created = transaction.statement(statement -> insertWorkflow(statement, name, id, json));
    // intake/restore_workflow
    boolean restored =
        transaction.statement(
            statement ->
                statement
                    .update(
                        tables.control,
                        name,
                        row -> row.deletedAt != null,
                        row -> row.deletedAt = null)
                    .isPresent());
    if (restored && !created) {
      follow(new MemoryStatements(tables, transaction), spec);
    }
    if (created) {
      // intake/set_controls
      transaction.statement(
          statement -> {
            var control = new ControlRow(name);
            control.maxActive = spec.run().maxActive();
            control.maxTasks = spec.run().maxTasks();
            control.overlap = spec.run().overlap();
            return statement.upsert(
                tables.control,
                name,
                control,
                any -> true,
                there -> {
                  there.maxActive = control.maxActive;
                  there.maxTasks = control.maxTasks;
                  there.overlap = control.overlap;
                  there.deletedAt = null;
                });
          });
      transaction.statement(statement -> declare(statement, same -> same));
      follow(new MemoryStatements(tables, transaction), spec);
      RunQueue.ofWritten(new MemoryStatements(tables, transaction), TENANT, spec.name()).release();
    }
    return created;
  }

  private void follow(MemoryStatements statements, WorkflowSpec spec) {
    var workflow = new Workflow(TENANT, spec.name());
    var wanted = new ArrayList<Wanted>();
    spec.triggers()
        .forEach(one -> wanted.add(Wanted.of(workflow, one, SpecCodec.triggerToJson(one))));
    var expected = spec.run().expectBy();
    if (expected != null) {
      wanted.add(Wanted.of(workflow, expected));
    }
    TriggerChanges.write(statements.schedules(), List.of(workflow), wanted, ids);
  }

  /** intake/insert_workflow. */
  private boolean insertWorkflow(
      ModelStatement statement, WorkflowName name, WorkflowId id, String json) {
    var latest = tables.latest(statement, name);
    boolean same =
        latest
            .flatMap(version -> statement.read(tables.version, version))
            .flatMap(workflow -> statement.read(tables.workflow, workflow))
            .filter(json::equals)
            .isPresent();
    if (!same) {
      int number = latest.map(WorkflowVersion::number).orElse(0) + 1;
      statement.insert(tables.version, new WorkflowVersion(name, number), id);
      statement.insert(tables.workflow, id, json);
    }
    return !same;
  }

  @Override
  public void limitPool(String pool, @Nullable Integer slots) {
    tables.database.statement(
        statement ->
            declare(
                statement,
                row -> {
                  Map<String, Integer> pools = new HashMap<>(row.poolSlots());
                  pools.remove(pool);
                  if (slots != null) {
                    pools.put(pool, slots);
                  }
                  return new RoutingRow(row.version(), pools, row.maxRunning());
                }));
    hints.routingChanged();
  }

  @Override
  public void limitTenant(@Nullable Integer running) {
    tables.database.statement(
        statement ->
            declare(statement, row -> new RoutingRow(row.version(), row.poolSlots(), running)));
    hints.routingChanged();
  }

  private boolean declare(ModelStatement statement, UnaryOperator<RoutingRow> change) {
    return statement.replace(
        tables.routing,
        true,
        any -> true,
        row -> {
          RoutingRow next = change.apply(row);
          return new RoutingRow(row.version() + 1, next.poolSlots(), next.maxRunning());
        });
  }

  @Override
  public void delete(String workflow) {
    var name = new WorkflowName(TENANT, workflow);
    tables.database.<Boolean>transaction(
        transaction -> {
          // apply/delete_workflows
          boolean deleted =
              transaction.statement(
                  statement ->
                      statement
                          .update(
                              tables.control,
                              name,
                              row -> row.deletedAt == null,
                              row -> row.deletedAt = statement.now())
                          .isPresent());
          TriggerChanges.write(
              new MemoryStatements(tables, transaction).schedules(),
              List.of(new Workflow(TENANT, workflow)),
              List.of(),
              ids);
          return deleted;
        });
  }

  @Override
  public RunId trigger(String key, String workflow) {
    UUID run =
        tables.database.transaction(
            transaction -> {
              var id = ids.next();
              return claim(transaction, key, List.of(id))
                  .map(List::getFirst)
                  .orElseGet(() -> insertRun(transaction, new RunId(id), workflow).value());
            });
    hints.runChanged();
    return new RunId(run);
  }

  private RunId insertRun(Transaction transaction, RunId id, String workflow) {
    var name = new WorkflowName(TENANT, workflow);
    // intake/find_workflow_to_run
    RunRow run =
        transaction.statement(
            statement ->
                tables
                    .latest(statement, name)
                    .filter(found -> !tables.isDeleted(statement, name))
                    .flatMap(version -> statement.read(tables.version, version))
                    .map(found -> new RunRow(id, TENANT, found, workflow, "{}", statement.now()))
                    .orElseThrow(() -> new IllegalArgumentException("no workflow " + workflow)));
    // intake/insert_run
    transaction.statement(
        statement -> {
          run.deadlineAt = tables.deadline(statement, run.workflowId);
          statement.insert(tables.run, id, run);
          tables.mark(statement, id);
          tables.changed(statement, id, null, RunState.QUEUED, "triggered", ACTOR);
          return true;
        });
    return id;
  }
}
