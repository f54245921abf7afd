package dev.belay.store.transaction;

import dev.belay.engine.statement.AdmissionStatements;
import dev.belay.engine.statement.PlanStatements;
import dev.belay.engine.statement.ReapStatements;
import dev.belay.engine.statement.RecoveryStatements;
import dev.belay.engine.statement.ResultStatements;
import dev.belay.engine.statement.RunQueueStatements;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.SteerStatements;
import dev.belay.engine.statement.TaskSteerStatements;
import dev.belay.store.admit.AdmissionSql;
import dev.belay.store.plan.PlanSql;
import dev.belay.store.reap.ReapSql;
import dev.belay.store.recovery.RecoverySql;
import dev.belay.store.result.ResultSql;
import dev.belay.store.runqueue.RunQueueSql;
import dev.belay.store.steer.SteerSql;
import dev.belay.store.steer.TaskSteerSql;
import org.jdbi.v3.core.Handle;

/** The statements of one connection. */
public record PostgresStatements(Handle handle) implements Statements {

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
  public SteerStatements steer() {
    return new SteerSql(handle);
  }

  @Override
  public TaskSteerStatements taskSteer() {
    return new TaskSteerSql(handle);
  }
}
