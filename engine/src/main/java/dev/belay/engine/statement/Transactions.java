package dev.belay.engine.statement;

import dev.belay.engine.port.Epoch;
import java.util.function.Function;

/**
 * How the engine reaches its store. A deadlock repeats the work, so the work changes nothing but
 * through its statements. An exception means that nothing was written, or that nobody knows.
 */
public interface Transactions {

  /** Each statement commits by itself. */
  <T> T each(Function<Statements, T> work);

  /** All statements commit together. */
  <T> T together(Function<Statements, T> work);

  /**
   * All statements commit together, if this leader still leads.
   *
   * @throws dev.belay.engine.port.Deposed when another leads
   */
  <T> T asLeader(Epoch epoch, Function<Statements, T> work);

  /** Whether the store cannot be reached now, by a failure of the calls above. */
  boolean isAway(RuntimeException failure);

  /** Whether the store will never take what failed so: its content is wrong, not the moment. */
  boolean isRefused(RuntimeException failure);
}
