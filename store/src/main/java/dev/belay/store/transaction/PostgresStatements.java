package dev.belay.store.transaction;

import dev.belay.engine.statement.AdmissionStatements;
import dev.belay.engine.statement.BackfillStatements;
import dev.belay.engine.statement.BulkStatements;
import dev.belay.engine.statement.ChainStatements;
import dev.belay.engine.statement.DeadLetterStatements;
import dev.belay.engine.statement.EventStatements;
import dev.belay.engine.statement.LimitStatements;
import dev.belay.engine.statement.PauseStatements;
import dev.belay.engine.statement.PlanStatements;
import dev.belay.engine.statement.PromiseStatements;
import dev.belay.engine.statement.ReapStatements;
import dev.belay.engine.statement.RecoveryStatements;
import dev.belay.engine.statement.ResultStatements;
import dev.belay.engine.statement.RunQueueStatements;
import dev.belay.engine.statement.ScheduleStatements;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.SteerStatements;
import dev.belay.engine.statement.TaskSteerStatements;
import dev.belay.engine.statement.UnservedStatements;
import dev.belay.store.admit.AdmissionSql;
import dev.belay.store.backfill.BackfillSql;
import dev.belay.store.bulk.BulkSql;
import dev.belay.store.deadletter.DeadLetterSql;
import dev.belay.store.deadletter.UnservedSql;
import dev.belay.store.limit.LimitSql;
import dev.belay.store.plan.PlanSql;
import dev.belay.store.promise.PromiseSql;
import dev.belay.store.reap.ReapSql;
import dev.belay.store.recovery.RecoverySql;
import dev.belay.store.result.ResultSql;
import dev.belay.store.runqueue.RunQueueSql;
import dev.belay.store.schedule.PauseSql;
import dev.belay.store.schedule.ScheduleSql;
import dev.belay.store.steer.SteerSql;
import dev.belay.store.steer.TaskSteerSql;
import dev.belay.store.trigger.ChainSql;
import dev.belay.store.trigger.EventSql;
import org.jdbi.v3.core.Handle;

/** The statements of one connection. */
public record PostgresStatements(Handle handle) implements Statements {

  @Override
  public ChainStatements chains() {
    return new ChainSql(handle);
  }

  @Override
  public EventStatements events() {
    return new EventSql(handle);
  }

  @Override
  public PlanStatements plans() {
    return new PlanSql(handle);
  }

  @Override
  public RunQueueStatements runQueue() {
    return new RunQueueSql(handle);
  }

  @Override
  public AdmissionStatements admission() {
    return new AdmissionSql(handle);
  }

  @Override
  public ResultStatements results() {
    return new ResultSql(handle);
  }

  @Override
  public RecoveryStatements recoveries() {
    return new RecoverySql(handle);
  }

  @Override
  public ReapStatements reap() {
    return new ReapSql(handle);
  }

  @Override
  public PromiseStatements promises() {
    return new PromiseSql(handle);
  }

  @Override
  public PauseStatements pauses() {
    return new PauseSql(handle);
  }

  @Override
  public ScheduleStatements schedules() {
    return new ScheduleSql(handle);
  }

  @Override
  public BackfillStatements backfills() {
    return new BackfillSql(handle);
  }

  @Override
  public BulkStatements bulks() {
    return new BulkSql(handle);
  }

  @Override
  public DeadLetterStatements deadLetters() {
    return new DeadLetterSql(handle);
  }

  @Override
  public UnservedStatements unserved() {
    return new UnservedSql(handle);
  }

  @Override
  public LimitStatements limits() {
    return new LimitSql(handle);
  }

  @Override
  public SteerStatements steer() {
    return new SteerSql(handle);
  }

  @Override
  public TaskSteerStatements taskSteer() {
    return new TaskSteerSql(handle);
  }
}
