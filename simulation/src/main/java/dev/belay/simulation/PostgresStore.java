package dev.belay.simulation;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.routing.Pool;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.system.DeclaredPool;
import dev.belay.domain.system.Tenant;
import dev.belay.engine.port.ChainReads;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.PlanReads;
import dev.belay.engine.port.QueueStore;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.port.ScheduleReads;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.statement.Transactions;
import dev.belay.store.Connections;
import dev.belay.store.Database;
import dev.belay.store.Sql;
import dev.belay.store.dispatch.PostgresDispatch;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.IdempotencyKey;
import dev.belay.store.intake.NewRun;
import dev.belay.store.intake.NewTask;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.RunIntake;
import dev.belay.store.intake.Submission;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.intake.Triggered;
import dev.belay.store.intake.WorkflowIntake;
import dev.belay.store.leader.ElectionSettings;
import dev.belay.store.leader.PostgresElection;
import dev.belay.store.plan.PostgresPlans;
import dev.belay.store.queue.PostgresQueues;
import dev.belay.store.reap.PostgresReap;
import dev.belay.store.replica.Heartbeat;
import dev.belay.store.schedule.PostgresSchedules;
import dev.belay.store.schedule.StoredTriggers;
import dev.belay.store.system.Declaration;
import dev.belay.store.system.Declarations;
import dev.belay.store.system.Kind;
import dev.belay.store.system.PostgresRouting;
import dev.belay.store.transaction.PostgresTransactions;
import dev.belay.store.trigger.PostgresChains;
import dev.belay.store.worker.PostgresWorkers;
import dev.belay.workflow.SpecCodec;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The real store, on a database without other users. */
public final class PostgresStore implements Store {
  private static final String TENANT = WorkflowSpec.DEFAULT_TENANT;
  private static final String CLIENT = "client";

  private final Jdbi jdbi;
  private final Connections toLock;
  private final ElectionSettings elections;
  private final Runnable end;

  /** Uses one connection. Empties the database first. */
  PostgresStore(SimulatedDatabase database) {
    this(database, database::openToLock, ElectionSettings.DEFAULT, database::close);
    jdbi.useHandle(
        handle ->
            handle.execute(
                "TRUNCATE rate_bucket, pool, tenant, tenant_intake, dead_letter, backfill,"
                    + " backfill_fire, outage, task, task_payload, step, past_attempt, idempotency,"
                    + " run, workflow, run_history, mark, worker, workflow_control, replica,"
                    + " recovery, alert, chain_fire, event_fire, fire, trigger_version, trigger,"
                    + " calendar RESTART IDENTITY; UPDATE leadership SET epoch = 0, leader = NULL,"
                    + " since = NULL"));
  }

  /**
   * Uses any number of connections, and keeps the content of the database.
   *
   * @param toLock separate connections on which leaders hold their locks
   * @param elections their time limits
   * @param end closes the store
   */
  public PostgresStore(
      DataSource connections, Connections toLock, ElectionSettings elections, Runnable end) {
    this.jdbi = Database.jdbi(connections);
    this.toLock = toLock;
    this.elections = elections;
    this.end = end;
  }

  @Override
  public Transactions transactions() {
    return new PostgresTransactions(jdbi);
  }

  @Override
  public PlanReads plans() {
    return new PostgresPlans(jdbi);
  }

  @Override
  public ChainReads chains() {
    return new PostgresChains(jdbi);
  }

  @Override
  public DispatchStore dispatches() {
    return new PostgresDispatch(jdbi, DispatchStore.ROUTABLE_SILENCE, Meters.NONE);
  }

  @Override
  public QueueStore queues() {
    return new PostgresQueues(jdbi);
  }

  @Override
  public RoutingReads routing() {
    return new PostgresRouting(jdbi);
  }

  @Override
  public WorkerStore workers() {
    return new PostgresWorkers(jdbi, Meters.NONE);
  }

  @Override
  public ScheduleReads schedules() {
    return new PostgresSchedules(jdbi);
  }

  @Override
  public ReapReads reaps(ReapSettings settings) {
    return new PostgresReap(jdbi, settings);
  }

  @Override
  public Supplier<Instant> heartbeat(String replica, ReapSettings settings, LongSupplier ticker) {
    return new Heartbeat(jdbi, replica, settings.grace().databaseGap(), ticker)::beat;
  }

  @Override
  public Runnable others(Runnable act) {
    return () -> {};
  }

  @Override
  public Election election(String replica) {
    return new PostgresElection(toLock, replica, elections);
  }

  @Override
  public Observed observed() {
    return new PostgresObserved(jdbi);
  }

  @Override
  public Intake intake(Ids ids, Hints hints) {
    return new PostgresIntake(
        new TaskIntake(jdbi, ids, hints, new QueueCatalog(queues(), () -> 0), Meters.NONE),
        new WorkflowIntake(jdbi, ids, hints),
        new RunIntake(jdbi, ids, hints),
        new Declarations(jdbi, hints),
        workflow -> delete(workflow, ids));
  }

  /** As when a set without it is applied. */
  private void delete(String workflow, Ids ids) {
    jdbi.useTransaction(
        handle -> {
          handle.createQuery(Sql.named("apply/lock_set")).mapTo(String.class).list();
          handle
              .createUpdate(Sql.named("apply/delete_workflows"))
              .bindArray("tenants", String.class, List.of(TENANT))
              .bindArray("names", String.class, List.of(workflow))
              .bind("actor", CLIENT)
              .execute();
          StoredTriggers.end(handle, List.of(new Workflow(TENANT, workflow)), ids);
        });
  }

  private record PostgresIntake(
      TaskIntake tasks,
      WorkflowIntake workflows,
      RunIntake runs,
      Declarations declarations,
      Consumer<String> ending)
      implements Intake {

    @Override
    public List<TaskId> submit(String key, List<WantedTask> wanted) {
      var batch = new Batch(keyOf(key), wanted.stream().map(PostgresIntake::newTask).toList());
      var answer = tasks.submit(List.of(batch), CLIENT);
      if (answer instanceof Submission.Accepted(var ids, _)) {
        return ids.stream().map(TaskId::new).toList();
      }
      throw new InvariantBroken("a submit of its own key was answered with " + answer);
    }

    private static NewTask newTask(WantedTask task) {
      return new NewTask(
          TENANT,
          task.name(),
          task.priority(),
          task.pool(),
          SpecCodec.workToJson(task.work()),
          "{}",
          task.work().policy().isStrict(),
          task.deadline(),
          task.timer(),
          task.queue());
    }

    @Override
    public void register(WorkflowSpec spec) {
      var json = SpecCodec.toJson(spec);
      workflows.register(
          new NewWorkflow(TENANT, spec.name(), spec.tasks().size(), json, spec.name()), CLIENT);
    }

    @Override
    public void delete(String workflow) {
      ending.accept(workflow);
    }

    @Override
    public RunId trigger(String key, String workflow) {
      var wanted =
          new NewRun(TENANT, workflow, null, keyOf(key), facts -> new NewRun.Params.Resolved("{}"));
      var answer = runs.trigger(wanted, CLIENT);
      if (answer instanceof Triggered.Accepted(var run)) {
        return new RunId(run);
      }
      throw new InvariantBroken("a trigger of its own key was answered with " + answer);
    }

    @Override
    public void limitPool(String pool, @Nullable Integer slots) {
      var declared =
          new DeclaredPool(
              pool, null, Pool.State.ACTIVE, slots, new TreeSet<>(), Pool.Strategy.SPREAD);
      require(declarations.put(Kind.POOL, declared, new Declaration.Seen.Anything(), CLIENT));
    }

    @Override
    public void limitTenant(@Nullable Integer running) {
      var declared = new Tenant(TENANT, null, Tenant.WEIGHT_DEFAULT, running, null, null);
      require(declarations.put(Kind.TENANT, declared, new Declaration.Seen.Anything(), CLIENT));
    }

    private static void require(Declaration answer) {
      if (!(answer instanceof Declaration.Done)) {
        throw new InvariantBroken("a declaration was answered with " + answer);
      }
    }

    private static IdempotencyKey keyOf(String key) {
      return new IdempotencyKey(TENANT, key, "00");
    }
  }

  @Override
  public void close() {
    end.run();
  }
}
