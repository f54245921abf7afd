package dev.belay.engine.statement;

import dev.belay.engine.port.Epoch;
import java.util.function.Function;

/**
 * The engine's access to its store. A deadlock repeats the work, so the work may have effects only
 * through its statements. After an exception, nothing was written or the outcome is unknown.
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

  /** Whether a failure of these calls means that the store is unreachable. */
  boolean isAway(RuntimeException failure);

  /** Whether the store will never accept this write: its content is wrong, not the moment. */
  boolean isRefused(RuntimeException failure);
}
