package dev.belay.simulation;

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
import dev.belay.engine.statement.Transactions;
import dev.belay.simulation.guard.Guards;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A store for the simulation: the engine's ports, the calls of clients, and the content. */
public interface Store extends AutoCloseable {

  Transactions transactions();

  PlanReads plans();

  ChainReads chains();

  DispatchStore dispatches();

  QueueStore queues();

  RoutingReads routing();

  WorkerStore workers();

  ScheduleReads schedules();

  ReapReads reaps(ReapSettings settings);

  Election election(String replica);

  /**
   * The replica heartbeat: records that this replica can write.
   *
   * @param ticker monotonic nanoseconds
   */
  Supplier<Instant> heartbeat(String replica, ReapSettings settings, LongSupplier ticker);

  Intake intake(Ids ids, Hints hints);

  Observed observed();

  /**
   * Sets what may happen in the middle of each statement, after its snapshot; without effect on a
   * real database.
   *
   * @return the previous one
   */
  Runnable others(Runnable act);

  @Override
  void close();

  /** Creates an empty store for one simulation. */
  @FunctionalInterface
  interface Opening {

    /**
     * @param databaseClock the time of its statements
     */
    Store open(InstantSource databaseClock, Guards guards);
  }
}
