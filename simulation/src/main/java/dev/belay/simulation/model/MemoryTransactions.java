package dev.belay.simulation.model;

import dev.belay.engine.port.Epoch;
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
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.statement.UnservedStatements;
import java.util.function.Function;

/** The engine's transactions in memory. */
record MemoryTransactions(Tables tables) implements Transactions {

  @Override
  public <T> T each(Function<Statements, T> work) {
    return work.apply(new MemoryStatements(tables, tables.database));
  }

  @Override
  public <T> T together(Function<Statements, T> work) {
    return tables.database.transaction(
        transaction -> work.apply(new MemoryStatements(tables, transaction)));
  }

  @Override
  public <T> T asLeader(Epoch epoch, Function<Statements, T> work) {
    return tables.database.transaction(
        transaction -> {
          EpochLock.enter(tables, transaction, epoch);
          return work.apply(new MemoryStatements(tables, transaction));
        });
  }

  /** Like PostgreSQL's error for a session that was ended from outside. */
  @Override
  public boolean isAway(RuntimeException failure) {
    return failure instanceof Terminated;
  }

  @Override
  public boolean isRefused(RuntimeException failure) {
    return failure instanceof UniqueViolation;
  }

  record MemoryStatements(Tables tables, Session session) implements Statements {

    @Override
    public ChainStatements chains() {
      return new MemoryChainStatements(tables, session);
    }

    /** Events race with nothing that is simulated. */
    @Override
    public BulkStatements bulks() {
      throw new UnsupportedOperationException("bulk operations are not simulated");
    }

    @Override
    public EventStatements events() {
      throw new UnsupportedOperationException("events are not simulated");
    }

    @Override
    public PlanStatements plans() {
      return new MemoryPlanStatements(tables, session);
    }

    @Override
    public RunQueueStatements runQueue() {
      return new MemoryRunQueueStatements(tables, session);
    }

    @Override
    public AdmissionStatements admission() {
      return new MemoryAdmissionStatements(tables, session);
    }

    @Override
    public ResultStatements results() {
      return new MemoryResultStatements(tables, session);
    }

    @Override
    public RecoveryStatements recoveries() {
      return new MemoryRecoveryStatements(tables, session);
    }

    @Override
    public ReapStatements reap() {
      return new MemoryReapStatements(tables, session);
    }

    @Override
    public PromiseStatements promises() {
      return new MemoryPromiseStatements(tables, session);
    }

    @Override
    public PauseStatements pauses() {
      return new MemoryPauseStatements(tables, session);
    }

    @Override
    public ScheduleStatements schedules() {
      return new MemoryScheduleStatements(tables, session);
    }

    @Override
    public BackfillStatements backfills() {
      return new MemoryBackfillStatements(tables, session);
    }

    @Override
    public DeadLetterStatements deadLetters() {
      return new MemoryDeadLetterStatements(tables, session);
    }

    /** Only the leader writes them, and nobody waits for one. */
    @Override
    public UnservedStatements unserved() {
      throw new UnsupportedOperationException("notes of unserved task queues are not simulated");
    }

    @Override
    public LimitStatements limits() {
      return new MemoryLimitStatements(tables, session);
    }

    @Override
    public SteerStatements steer() {
      return new MemorySteerStatements(tables, session);
    }

    @Override
    public TaskSteerStatements taskSteer() {
      return new MemoryTaskSteerStatements(tables, session);
    }
  }
}
