package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Worker;
import dev.belay.engine.dispatch.Roster.Taken;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a read differs from the roster.
 *
 * @param unknown dispatches that this leader did not know: a bug, or somebody's change by hand
 * @param elsewhere dispatches that were over without its knowledge
 */
record Drift(int unknown, int elsewhere) {
  static final Drift NONE = new Drift(0, 0);

  static Drift between(
      Map<DispatchId, Taken> before,
      List<Worker> workersBefore,
      Map<DispatchId, Taken> now,
      List<Worker> workersNow) {
    return new Drift(missing(now, before, workersBefore), missing(before, now, workersNow));
  }

  /** How many dispatches of these workers are in the first map alone. */
  private static int missing(
      Map<DispatchId, Taken> from, Map<DispatchId, Taken> in, List<Worker> workers) {
    Set<WorkerId> ids = new HashSet<>();
    workers.forEach(worker -> ids.add(worker.id()));
    int count = 0;
    for (Taken each : from.values()) {
      if (!in.containsKey(each.held().dispatch()) && ids.contains(each.held().worker())) {
        count++;
      }
    }
    return count;
  }
}
