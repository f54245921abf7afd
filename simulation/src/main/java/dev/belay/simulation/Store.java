package dev.belay.simulation;

import dev.belay.domain.id.Ids;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.PlanReads;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.statement.Transactions;
import dev.belay.simulation.guard.Guards;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * A store as the simulation uses it: the engine's ports, the way in for clients, and what is in it.
 */
public interface Store extends AutoCloseable {

  Transactions transactions();

  PlanReads plans();

  DispatchStore dispatches();

  WorkerStore workers();

  ReapReads reaps(ReapSettings settings);

  Election election(String replica);

  /** Says that this replica can write. */
  Supplier<Instant> heartbeat(String replica, ReapSettings settings);

  Intake intake(Ids ids, Hints hints);

  Observed observed();

  /**
   * Sets what may happen in the middle of each statement, after its snapshot; nothing does where
   * the database is a real one.
   *
   * @return what it was
   */
  Runnable others(Runnable act);

  @Override
  void close();

  /** Makes an empty store for one simulation. */
  @FunctionalInterface
  interface Opening {

    /**
     * @param databaseClock what its statements take for now
     */
    Store open(InstantSource databaseClock, Guards guards);
  }
}
