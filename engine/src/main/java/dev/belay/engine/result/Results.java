package dev.belay.engine.result;

import dev.belay.domain.id.DispatchId;
import dev.belay.engine.port.Effects;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import java.util.List;
import java.util.Set;

@FunctionalInterface
public interface Results {

  /**
   * Writes a batch by compare-and-set. After an exception, none, part or all of it may be written;
   * the same batch may be given again.
   */
  Written write(List<WorkerEvent> events);

  /** Whether {@link #write} failed because the store is unreachable. */
  default boolean isAway(RuntimeException failure) {
    return false;
  }

  /**
   * @param settlements the answers, in the order of the events
   * @param runsChanged a mark was appended, or a task waits for a time
   * @param workReady a task may be eligible now, or a slot became free
   * @param failed attempts that failed by themselves: their process did, or could not start
   */
  record Written(
      List<Settlement> settlements,
      Effects effects,
      boolean runsChanged,
      boolean workReady,
      Set<DispatchId> failed) {

    public Written {
      failed = Set.copyOf(failed);
    }

    public Written(
        List<Settlement> settlements, Effects effects, boolean runsChanged, boolean workReady) {
      this(settlements, effects, runsChanged, workReady, Set.of());
    }
  }
}
