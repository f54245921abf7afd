package dev.belay.engine.dispatch;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.dispatch.WaitingQueues.Chosen;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Wanted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The task queues of one look, and what was read of them. A look reads only some tasks of each; a
 * task waits for the next look if a better one may be among those that are not read yet.
 */
final class Picks {

  /** Task queues that are read beyond the free slots, because some may be empty. */
  private static final int SPARE = 16;

  private static final RunId FIRST_RUN = new RunId(new UUID(0, 0));

  private final Map<QueueId, Pick> picks = new LinkedHashMap<>();

  /** The best priority in each group that this look may not have read. */
  private final Map<String, Integer> unread = new HashMap<>();

  /** A task queue that has room in its limits. */
  record Open(Chosen chosen, TaskQueue spec, String group, int slots, int room) {}

  /** A task queue of this look, with the candidates that are left. */
  static final class Pick {
    final Chosen chosen;
    final TaskQueue spec;
    final String group;
    final Deque<Candidate> candidates = new ArrayDeque<>();
    private final Wanted wanted;
    private final int room;

    /** Tasks wait behind the candidates, and could start. */
    boolean hasMore;

    Pick(Open open, int take) {
      this.chosen = open.chosen();
      this.spec = open.spec();
      this.group = open.group();
      this.room = open.room();
      RunId last = chosen.lastRun();
      RunId after = last == null ? FIRST_RUN : last;
      this.wanted =
          new Wanted(chosen.queue(), Math.min(take, room), spec.workflow() == null ? null : after);
    }
  }

  /**
   * @param open those that wait and have room, the most urgent first
   */
  Picks(List<Open> open) {
    Map<String, Map<String, List<Open>>> groups = new LinkedHashMap<>();
    for (Open each : open) {
      groups
          .computeIfAbsent(each.group(), any -> new LinkedHashMap<>())
          .computeIfAbsent(each.spec().tenant(), any -> new ArrayList<>())
          .add(each);
    }
    groups.values().forEach(this::pick);
  }

  /** Each tenant has its part of the look, however many task queues another one has. */
  private void pick(Map<String, List<Open>> tenants) {
    int slots =
        tenants.values().stream().flatMap(List::stream).mapToInt(Open::slots).max().orElse(0);
    int most = Math.max(1, (slots + SPARE) / tenants.size());
    for (List<Open> own : tenants.values()) {
      int count = Math.min(own.size(), most);
      int take = Math.min(slots, Math.ceilDiv(2 * slots, tenants.size() * count));
      for (Open each : own.subList(0, count)) {
        picks.put(each.chosen().queue(), new Pick(each, take));
      }
      if (count < own.size()) {
        unread.merge(own.get(count).group(), own.get(count).chosen().priority(), Math::max);
      }
    }
  }

  boolean isEmpty() {
    return picks.isEmpty();
  }

  List<Wanted> wanted() {
    return picks.values().stream().map(pick -> pick.wanted).toList();
  }

  /** Tells the task queues what was read of them. */
  void read(List<Candidate> candidates, WaitingQueues waiting) {
    for (Candidate candidate : candidates) {
      Pick pick = picks.get(candidate.queue());
      if (pick != null) {
        pick.candidates.add(candidate);
      }
    }
    for (Pick pick : picks.values()) {
      Candidate last = pick.candidates.peekLast();
      if (last == null) {
        waiting.empty(pick.chosen);
      } else {
        waiting.found(pick.chosen, last.priority());
        pick.hasMore =
            pick.candidates.size() >= pick.wanted.take() && pick.wanted.take() < pick.room;
        if (pick.hasMore) {
          unread.merge(pick.group, last.priority(), Math::max);
        }
      }
    }
  }

  /** Those with candidates. */
  List<Pick> found() {
    return picks.values().stream().filter(pick -> !pick.candidates.isEmpty()).toList();
  }

  @Nullable Pick of(QueueId queue) {
    return picks.get(queue);
  }

  /** Whether no task that was not read can precede this one. */
  boolean mayGo(Pick pick, Candidate candidate) {
    return candidate.priority() >= unread.getOrDefault(pick.group, 0);
  }

  /** Whether tasks may wait that this look did not read. */
  boolean hasUnread() {
    return !unread.isEmpty();
  }
}
