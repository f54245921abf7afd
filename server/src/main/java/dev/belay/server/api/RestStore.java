package dev.belay.server.api;

import dev.belay.domain.id.Ids;
import dev.belay.domain.reap.Promises;
import dev.belay.engine.bulk.BulkSteering;
import dev.belay.engine.deadletter.LetterRetry;
import dev.belay.engine.port.ChangeFeed;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.schedule.TriggerPauses;
import dev.belay.engine.steer.BackfillSteering;
import dev.belay.engine.steer.Steering;
import dev.belay.engine.steer.TaskSteering;
import dev.belay.engine.steer.WorkerAccess;
import dev.belay.store.apply.SetIntake;
import dev.belay.store.deadletter.OldLetters;
import dev.belay.store.feed.PostgresFeed;
import dev.belay.store.intake.BackfillIntake;
import dev.belay.store.intake.BulkIntake;
import dev.belay.store.intake.RunIntake;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.intake.WorkflowIntake;
import dev.belay.store.lease.PostgresLeases;
import dev.belay.store.promise.Lateness;
import dev.belay.store.read.Reads;
import dev.belay.store.read.WaitReads;
import dev.belay.store.recovery.Alerts;
import dev.belay.store.recovery.Recoveries;
import dev.belay.store.retention.FinishedRows;
import dev.belay.store.schedule.PostgresSchedules;
import dev.belay.store.schedule.TriggerReads;
import dev.belay.store.system.Declarations;
import dev.belay.store.system.DeclaredReads;
import dev.belay.store.transaction.PostgresTransactions;
import dev.belay.store.trigger.EventIntake;
import dev.belay.store.worker.WorkerTrust;
import dev.belay.workflow.SpecCodec;
import org.jdbi.v3.core.Jdbi;

/** The API's access to the database. */
public record RestStore(
    Reads reads,
    WaitReads waits,
    TaskIntake tasks,
    WorkflowIntake workflows,
    SetIntake sets,
    DeclaredReads declared,
    Declarations declarations,
    RunIntake runs,
    TriggerReads triggers,
    TriggerPauses pauses,
    EventIntake events,
    Steering steering,
    TaskSteering taskSteering,
    WorkerAccess access,
    WorkerTrust trust,
    Recoveries recoveries,
    Lateness lateness,
    Alerts alerts,
    FinishedRows finished,
    ChangeFeed feed,
    PostgresLeases leases,
    Backfilling backfilling,
    Bulking bulking,
    DeadLettering deadLetters) {

  /** Access to backfills. */
  public record Backfilling(
      BackfillIntake intake, BackfillSteering steering, PostgresSchedules schedules, Ids ids) {}

  /** Access to bulk operations. */
  public record Bulking(BulkIntake intake, BulkSteering steering, Ids ids) {}

  /** Access to dead letters. */
  public record DeadLettering(LetterRetry retry, OldLetters old) {}

  public static RestStore of(
      Jdbi jdbi,
      Ids ids,
      Hints hints,
      Meters meters,
      Promises promises,
      WaitReads waits,
      QueueCatalog queues) {
    var transactions = new PostgresTransactions(jdbi);
    var steering = new Steering(transactions, hints, meters, waits.routableSilence());
    var taskSteering = new TaskSteering(transactions, hints, meters, SpecCodec::fromJson);
    return new RestStore(
        new Reads(jdbi),
        waits,
        new TaskIntake(jdbi, ids, hints, queues, meters),
        new WorkflowIntake(jdbi, ids, hints),
        new SetIntake(jdbi, ids, hints),
        new DeclaredReads(jdbi),
        new Declarations(jdbi, hints),
        new RunIntake(jdbi, ids, hints),
        new TriggerReads(jdbi),
        new TriggerPauses(transactions, hints),
        new EventIntake(jdbi, ids, hints),
        steering,
        taskSteering,
        new WorkerAccess(transactions, hints),
        new WorkerTrust(jdbi, hints, meters),
        new Recoveries(jdbi, promises),
        new Lateness(jdbi),
        new Alerts(jdbi),
        new FinishedRows(jdbi),
        new PostgresFeed(jdbi),
        new PostgresLeases(jdbi),
        new Backfilling(
            new BackfillIntake(jdbi, hints),
            new BackfillSteering(transactions, steering, hints),
            new PostgresSchedules(jdbi),
            ids),
        new Bulking(new BulkIntake(jdbi, hints), new BulkSteering(transactions, hints), ids),
        new DeadLettering(
            new LetterRetry(transactions, taskSteering, ids, hints), new OldLetters(jdbi)));
  }
}
