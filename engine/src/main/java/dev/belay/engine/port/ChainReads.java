package dev.belay.engine.port;

import dev.belay.domain.run.RunState;
import java.time.Instant;
import java.util.List;

/** Reads of ends of runs that triggers wait for. */
public interface ChainReads {

  /**
   * Undecided ends, the oldest of each trigger first.
   *
   * @param max of all triggers
   * @param each of one trigger, so that none keeps the others waiting
   */
  List<PendingChain> readPending(int max, int each);

  /**
   * An undecided end of a run, as it was then, and the trigger that was in force then.
   *
   * @param state how the upstream run ended
   * @param spec of the trigger, as JSON
   */
  record PendingChain(
      ChainKey key,
      RunState state,
      Instant logicalDate,
      int depth,
      String spec,
      TriggerTarget target) {}
}
