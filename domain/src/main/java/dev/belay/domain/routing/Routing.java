package dev.belay.domain.routing;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Assigns each task, in order of priority, to the least loaded worker of its pool. */
public final class Routing {

  /**
   * An eligible task.
   *
   * @param readySince by the database's clock, in seconds
   */
  public record Candidate(TaskId task, String pool, double readySince) {}

  /**
   * A connected worker.
   *
   * @param active the tasks it holds, including those just assigned
   */
  public record Worker(WorkerId id, SessionId session, Set<String> pools, int slots, int active) {

    public int free() {
      return Math.max(0, slots - active);
    }
  }

  private Routing() {}

  /** Free slots of each pool, summed over its workers. */
  public static Map<String, Integer> freeByPool(List<Worker> workers) {
    Map<String, Integer> free = new LinkedHashMap<>();
    for (Worker worker : workers) {
      if (worker.free() > 0) {
        worker.pools().forEach(pool -> free.merge(pool, worker.free(), Integer::sum));
      }
    }
    return free;
  }

  /** The tasks for each worker; a task that found no slot is in no list. */
  public static Map<Worker, List<Candidate>> assign(
      List<Candidate> candidates, List<Worker> workers) {
    Map<WorkerId, Integer> added = new HashMap<>();
    Map<Worker, List<Candidate>> assigned = new LinkedHashMap<>();
    for (Candidate candidate : candidates) {
      Worker chosen = leastLoaded(candidate.pool(), workers, added);
      if (chosen != null) {
        added.merge(chosen.id(), 1, Integer::sum);
        assigned.computeIfAbsent(chosen, worker -> new ArrayList<>()).add(candidate);
      }
    }
    return assigned;
  }

  private static @Nullable Worker leastLoaded(
      String pool, List<Worker> workers, Map<WorkerId, Integer> added) {
    return workers.stream()
        .filter(worker -> worker.pools().contains(pool))
        .filter(worker -> worker.free() > added.getOrDefault(worker.id(), 0))
        .min(
            Comparator.comparingDouble(
                    (Worker worker) ->
                        (worker.active() + added.getOrDefault(worker.id(), 0))
                            / (double) worker.slots())
                .thenComparing(Worker::id))
        .orElse(null);
  }
}
