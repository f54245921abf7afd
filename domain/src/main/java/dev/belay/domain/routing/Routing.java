package dev.belay.domain.routing;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import java.util.ArrayList;
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
   * @param again it had an attempt before; true in doubt
   */
  public record Candidate(TaskId task, String pool, double readySince, boolean again) {
    public Candidate(TaskId task, String pool, double readySince) {
      this(task, pool, readySince, true);
    }
  }

  /**
   * A connected worker.
   *
   * @param active the tasks it holds, including those just assigned
   */
  public record Worker(WorkerId id, SessionId session, Set<String> pools, int slots, int active) {

    public int free() {
      return Math.max(0, slots - active);
    }

    public Worker holding(int tasks) {
      return new Worker(id, session, pools, slots, tasks);
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
    List<Load> loads = workers.stream().map(Load::new).toList();
    Map<String, List<Load>> byPool = new HashMap<>();
    for (Load load : loads) {
      load.worker
          .pools()
          .forEach(pool -> byPool.computeIfAbsent(pool, any -> new ArrayList<>()).add(load));
    }
    for (Candidate candidate : candidates) {
      Load chosen = least(byPool.getOrDefault(candidate.pool(), List.of()));
      if (chosen != null) {
        chosen.tasks.add(candidate);
      }
    }
    Map<Worker, List<Candidate>> assigned = new LinkedHashMap<>();
    for (Load load : loads) {
      if (!load.tasks.isEmpty()) {
        assigned.put(load.worker, load.tasks);
      }
    }
    return assigned;
  }

  private static @Nullable Load least(List<Load> loads) {
    Load least = null;
    for (Load load : loads) {
      if (load.hasRoom() && (least == null || load.isBelow(least))) {
        least = load;
      }
    }
    return least;
  }

  /** A worker and the tasks that it gets. */
  private static final class Load {
    final Worker worker;
    final List<Candidate> tasks = new ArrayList<>();

    Load(Worker worker) {
      this.worker = worker;
    }

    boolean hasRoom() {
      return worker.free() > tasks.size();
    }

    boolean isBelow(Load other) {
      int order = Double.compare(share(), other.share());
      return order < 0 || (order == 0 && worker.id().compareTo(other.worker.id()) < 0);
    }

    private double share() {
      return (worker.active() + tasks.size()) / (double) worker.slots();
    }
  }
}
