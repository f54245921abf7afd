package dev.belay.engine.dispatch;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.dispatch.WaitingQueues.Chosen;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Wanted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The task queues of one look, and which of their tasks may go to a worker. A look reads only some
 * tasks of each; a task waits for the next look if a better one may be among those that are not
 * read yet.
 */
final class Picks {

  /** Task queues that are read beyond the free slots, because some may be empty. */
  private static final int SPARE = 16;

  private static final RunId FIRST_RUN = new RunId(new UUID(0, 0));

  private final Map<QueueId, Pick> picks = new LinkedHashMap<>();

  /** The best priority in each pool that this look may not have read. */
  private final Map<String, Integer> unread = new HashMap<>();

  private record Pick(Chosen chosen, String pool, Wanted wanted) {}

  /**
   * @param inOrder all that wait, the most urgent first
   * @param free slots of each pool
   */
  Picks(List<Chosen> inOrder, Map<QueueId, TaskQueue> specs, Map<String, Integer> free) {
    Map<String, List<Chosen>> byPool = new LinkedHashMap<>();
    for (Chosen chosen : inOrder) {
      String pool = pool(specs.get(chosen.queue()));
      if (pool != null && free.containsKey(pool)) {
        byPool.computeIfAbsent(pool, any -> new ArrayList<>()).add(chosen);
      }
    }
    byPool.forEach(
        (pool, waiting) -> {
          int slots = free.getOrDefault(pool, 0);
          int count = Math.min(waiting.size(), slots + SPARE);
          int take = Math.min(slots, Math.ceilDiv(2 * slots, count));
          for (Chosen chosen : waiting.subList(0, count)) {
            picks.put(chosen.queue(), new Pick(chosen, pool, wanted(chosen, specs, take)));
          }
          if (count < waiting.size()) {
            unread.put(pool, waiting.get(count).priority());
          }
        });
  }

  private static @Nullable String pool(@Nullable TaskQueue queue) {
    return queue == null ? null : queue.placement().pool();
  }

  private static Wanted wanted(Chosen chosen, Map<QueueId, TaskQueue> specs, int take) {
    TaskQueue spec = specs.get(chosen.queue());
    boolean hasRuns = spec != null && spec.workflow() != null;
    RunId after = chosen.lastRun() == null ? FIRST_RUN : chosen.lastRun();
    return new Wanted(chosen.queue(), take, hasRuns ? after : null);
  }

  boolean isEmpty() {
    return picks.isEmpty();
  }

  List<Wanted> wanted() {
    return picks.values().stream().map(Pick::wanted).toList();
  }

  /** Tells the task queues what was read of them. */
  void read(List<Candidate> candidates, WaitingQueues waiting) {
    Map<QueueId, Integer> counts = new HashMap<>();
    Map<QueueId, Candidate> last = new HashMap<>();
    for (Candidate candidate : candidates) {
      counts.merge(candidate.queue(), 1, Integer::sum);
      last.put(candidate.queue(), candidate);
    }
    picks.forEach(
        (queue, pick) -> {
          Candidate end = last.get(queue);
          if (end == null) {
            waiting.empty(pick.chosen());
            return;
          }
          waiting.found(pick.chosen(), end.priority());
          if (counts.getOrDefault(queue, 0) >= pick.wanted().take()) {
            unread.merge(pick.pool(), end.priority(), Math::max);
          }
        });
  }

  /**
   * The candidates that no unread task can precede, as the router knows them: by priority, and at
   * equal priority the task queues take turns.
   */
  List<Routing.Candidate> placeable(List<Candidate> candidates) {
    Map<QueueId, Integer> places = new HashMap<>();
    picks.keySet().forEach(queue -> places.put(queue, places.size()));
    Map<Turn, Integer> taken = new HashMap<>();
    List<Placed> placed = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Pick pick = picks.get(candidate.queue());
      if (pick != null && candidate.priority() >= unread.getOrDefault(pick.pool(), 0)) {
        int round = taken.merge(new Turn(candidate.queue(), candidate.priority()), 1, Integer::sum);
        placed.add(
            new Placed(candidate, pick.pool(), round, places.getOrDefault(candidate.queue(), 0)));
      }
    }
    placed.sort(
        Comparator.comparingInt((Placed each) -> -each.candidate().priority())
            .thenComparingInt(Placed::round)
            .thenComparingInt(Placed::place));
    return placed.stream().map(Placed::routed).toList();
  }

  private record Turn(QueueId queue, int priority) {}

  private record Placed(Candidate candidate, String pool, int round, int place) {
    Routing.Candidate routed() {
      return new Routing.Candidate(
          candidate.task(), pool, candidate.readySince(), candidate.again());
    }
  }

  /** Whether tasks may wait that this look did not read. */
  boolean hasUnread() {
    return !unread.isEmpty();
  }

  static Set<QueueId> queues(List<Chosen> chosen) {
    Set<QueueId> queues = new HashSet<>();
    chosen.forEach(each -> queues.add(each.queue()));
    return queues;
  }
}
