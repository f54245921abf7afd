package dev.belay.simulation.model;

import dev.belay.domain.id.Ids;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.engine.port.ChainReads;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.PlanReads;
import dev.belay.engine.port.QueueStore;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.port.ScheduleReads;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.statement.Transactions;
import dev.belay.simulation.Intake;
import dev.belay.simulation.Observed;
import dev.belay.simulation.Store;
import dev.belay.simulation.guard.Guards;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The store in memory, initially empty. Confined to one thread. */
public final class MemoryStore implements Store {

  private final Tables tables;
  private final MemoryObserved observed;

  /**
   * @param databaseClock may step
   * @param guards those in place
   */
  public MemoryStore(InstantSource databaseClock, Guards guards) {
    this.tables = new Tables(databaseClock, guards);
    this.observed = new MemoryObserved(tables);
  }

  Tables tables() {
    return tables;
  }

  @Override
  public Transactions transactions() {
    return new MemoryTransactions(tables);
  }

  @Override
  public PlanReads plans() {
    return new MemoryPlans(tables);
  }

  @Override
  public ChainReads chains() {
    return new MemoryChains(tables);
  }

  @Override
  public DispatchStore dispatches() {
    return new MemoryDispatch(tables);
  }

  @Override
  public QueueStore queues() {
    return new MemoryQueues(tables);
  }

  @Override
  public RoutingReads routing() {
    return new MemoryRouting(tables);
  }

  @Override
  public WorkerStore workers() {
    return new MemoryWorkers(tables);
  }

  @Override
  public ScheduleReads schedules() {
    return new MemorySchedules(tables);
  }

  @Override
  public ReapReads reaps(ReapSettings settings) {
    return new MemoryReap(tables, settings);
  }

  @Override
  public Election election(String replica) {
    return new MemoryElection(tables, replica);
  }

  @Override
  public Supplier<Instant> heartbeat(String replica, ReapSettings settings, LongSupplier ticker) {
    return new MemoryHeartbeat(tables, replica, settings.grace().databaseGap(), ticker);
  }

  @Override
  public Intake intake(Ids ids, Hints hints) {
    return new MemoryIntake(tables, ids, hints, new QueueCatalog(queues(), () -> 0));
  }

  @Override
  public Observed observed() {
    return observed;
  }

  @Override
  public Runnable others(Runnable act) {
    return tables.database.others(act);
  }

  @Override
  public void close() {}
}
