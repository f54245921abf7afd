package dev.belay.engine.dispatch;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.dispatch.WaitingQueues.Chosen;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Wanted;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The task queues of one look, and what was read of them. */
final class Picks {

  private static final RunId FIRST_RUN = new RunId(new UUID(0, 0));

  private final Map<QueueId, Pick> picks = new LinkedHashMap<>();

  /** A task queue of this look, with the candidates that are left. */
  static final class Pick {
    final OpenQueue item;
    final Chosen chosen;
    final Deque<Candidate> candidates = new ArrayDeque<>();
    private final Wanted wanted;

    /** Tasks may wait behind the candidates. */
    boolean hasMore;

    private Pick(OpenQueue item, Chosen chosen, int take) {
      this.item = item;
      this.chosen = chosen;
      RunId last = chosen.lastRun();
      RunId after = last == null ? FIRST_RUN : last;
      this.wanted = new Wanted(item.id(), take, item.spec().workflow() == null ? null : after);
    }
  }

  /**
   * @param takes how many tasks to read of each
   */
  Picks(Map<OpenQueue, Integer> takes, WaitingQueues waiting) {
    takes.forEach(
        (item, take) -> picks.put(item.id(), new Pick(item, waiting.choose(item.id()), take)));
  }

  boolean isEmpty() {
    return picks.isEmpty();
  }

  List<Wanted> wanted() {
    return picks.values().stream().map(pick -> pick.wanted).toList();
  }

  void read(List<Candidate> candidates) {
    for (Candidate candidate : candidates) {
      Pick pick = picks.get(candidate.queue());
      if (pick != null) {
        pick.candidates.add(candidate);
      }
    }
    picks.values().forEach(pick -> pick.hasMore = pick.candidates.size() >= pick.wanted.take());
  }

  /** How many candidates each task queue has. */
  Map<TaskQueue, Integer> counts() {
    Map<TaskQueue, Integer> counts = new LinkedHashMap<>();
    picks
        .values()
        .forEach(pick -> counts.merge(pick.item.spec(), pick.candidates.size(), Integer::sum));
    return counts;
  }

  Collection<Pick> all() {
    return picks.values();
  }

  @Nullable Pick of(OpenQueue item) {
    return picks.get(item.id());
  }
}
