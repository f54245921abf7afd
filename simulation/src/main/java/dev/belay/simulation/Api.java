package dev.belay.simulation;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.steer.Selection;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.schedule.TriggerPauses;
import dev.belay.engine.statement.BackfillStatements.NewBackfill;
import dev.belay.engine.statement.PauseStatements.TriggerName;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.steer.BackfillSteer;
import dev.belay.engine.steer.BackfillSteering;
import dev.belay.engine.steer.Removal;
import dev.belay.engine.steer.RunRetry;
import dev.belay.engine.steer.Steering;
import dev.belay.engine.steer.TaskSteer;
import dev.belay.engine.steer.TaskSteering;
import dev.belay.engine.steer.TaskSteering.Request;
import dev.belay.engine.steer.Terminate;
import dev.belay.engine.steer.Unblock;
import dev.belay.engine.steer.WorkerAccess;
import dev.belay.workflow.SpecCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls of clients: submit, steer and cancel work. Every call may be repeated. */
public record Api(
    Intake intake,
    Steering steering,
    TaskSteering tasks,
    WorkerAccess access,
    TriggerPauses triggers,
    BackfillCalls backfills) {

  /** Calls about backfills. */
  record BackfillCalls(Transactions transactions, BackfillSteering steering) {}

  private static final String TENANT = WorkflowSpec.DEFAULT_TENANT;
  private static final String CLIENT = "client";

  public static Api of(Store store, Ids ids, Hints hints) {
    return of(store.intake(ids, hints), store.transactions(), hints);
  }

  static Api of(Intake intake, Transactions transactions, Hints hints) {
    var steering = new Steering(transactions, hints, Meters.NONE, DispatchStore.ROUTABLE_SILENCE);
    return new Api(
        intake,
        steering,
        new TaskSteering(transactions, hints, Meters.NONE, SpecCodec::fromJson),
        new WorkerAccess(transactions, hints),
        new TriggerPauses(transactions, hints),
        new BackfillCalls(transactions, new BackfillSteering(transactions, steering, hints)));
  }

  public List<TaskId> submit(String key, List<Intake.WantedTask> tasks) {
    return intake.submit(key, tasks);
  }

  public void register(WorkflowSpec spec) {
    intake.register(spec);
  }

  public void delete(String workflow) {
    intake.delete(workflow);
  }

  public RunId trigger(String key, String workflow) {
    return intake.trigger(key, workflow);
  }

  public void limitPool(String pool, @Nullable Integer slots) {
    intake.limitPool(pool, slots);
  }

  public void limitTenant(@Nullable Integer running) {
    intake.limitTenant(running);
  }

  public Terminate cancelTask(TaskId task) {
    return steering.cancelTask(task, CLIENT);
  }

  public Terminate terminateTask(TaskId task, AbortReason reason) {
    return steering.terminateTask(task, reason, "", CLIENT);
  }

  /** False when it is not BLOCKED. */
  public boolean unblockTask(TaskId task) {
    return steering.unblockTask(task, "", CLIENT) instanceof Unblock.Done;
  }

  public void cancelRun(RunId run) {
    steering.cancelRun(run, CLIENT);
  }

  public void pause(String workflow) {
    steering.pause(TENANT, workflow, CLIENT);
  }

  public void resume(String workflow) {
    steering.resume(TENANT, workflow, CLIENT);
  }

  public void pauseTrigger(String workflow, String trigger) {
    triggers.pause(new TriggerName(TENANT, workflow, trigger), CLIENT);
  }

  public void resumeTrigger(String workflow, String trigger) {
    triggers.resume(new TriggerName(TENANT, workflow, trigger), CLIENT);
  }

  /** True when it was over and is QUEUED again. */
  public boolean retryRun(RunId run) {
    return steering.retryRun(run, CLIENT) instanceof RunRetry.Done;
  }

  /** With everything after it. */
  public TaskSteer clear(TaskId task) {
    return clear(task, Selection.DOWNSTREAM, false);
  }

  public TaskSteer clear(TaskId task, Selection selection, boolean dryRun) {
    return tasks.clear(request(task), selection, dryRun);
  }

  public TaskSteer retryTask(TaskId task) {
    return tasks.retry(request(task));
  }

  public TaskSteer mark(TaskId task, TaskState as) {
    return tasks.mark(request(task), as);
  }

  public TaskSteer skip(TaskId task) {
    return tasks.skip(request(task));
  }

  public TaskSteer block(TaskId task) {
    return tasks.block(request(task));
  }

  public TaskSteer prioritize(TaskId task, int priority) {
    return tasks.prioritize(request(task), priority);
  }

  public void startBackfill(NewBackfill wanted) {
    backfills.transactions.<Boolean>together(
        statements ->
            statements.backfills().findState(wanted.id()).isPresent()
                || statements.backfills().insert(wanted, CLIENT));
  }

  public BackfillSteer pauseBackfill(BackfillId backfill) {
    return backfills.steering.pause(backfill, CLIENT);
  }

  public BackfillSteer resumeBackfill(BackfillId backfill) {
    return backfills.steering.resume(backfill, CLIENT);
  }

  public BackfillSteer cancelBackfill(BackfillId backfill, boolean alsoRunning) {
    return backfills.steering.cancel(backfill, alsoRunning, CLIENT);
  }

  private static Request request(TaskId task) {
    return new Request(task, "", CLIENT);
  }

  /** True when it is deleted; a live worker is not. */
  public boolean removeWorker(WorkerId worker) {
    return steering.removeWorker(worker) == Removal.REMOVED;
  }

  /** False when it is unknown. */
  public boolean revokeWorker(WorkerId worker) {
    return access.revoke(worker, CLIENT);
  }

  /** Deletes its key; false when it has none. */
  public boolean allowWorker(WorkerId worker) {
    return access.allow(worker, CLIENT);
  }
}
