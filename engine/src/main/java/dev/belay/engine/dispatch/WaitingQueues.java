package dev.belay.engine.dispatch;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.DispatchStore.Head;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The task queues in which a task may wait. Hints name most of them; a poll finds the rest. A task
 * queue leaves when a read of it finds nothing. Thread-safe.
 */
public final class WaitingQueues {

  /** Task queues that one poll reads when a leader is new, or a hint had no names. */
  private static final int SWEPT_MAX = 10_000;

  /** Task queues that one poll reads otherwise: the next one goes on behind them. */
  private static final int POLLED_MAX = 1_000;

  private final DispatchStore store;
  private final Duration pollEvery;
  private final LongSupplier ticker;
  private final Map<QueueId, Entry> entries = new HashMap<>();
  private final Set<QueueId> hinted = new LinkedHashSet<>();
  private final Map<QueueId, Integer> found = new LinkedHashMap<>();
  private @Nullable Epoch polledBy;
  private @Nullable QueueId polledUpTo;
  private long polledAt;
  private boolean pollWanted;
  private boolean sweeping;
  private long hints;

  /**
   * @param hint the last one that named it: a read that began before knows nothing of it
   * @param priority of its first task, as far as known
   * @param lastRun the run of which it had a task last; null before the first
   */
  private record Entry(long hint, int priority, @Nullable RunId lastRun) {
    static final Entry NEW = new Entry(0, Integer.MIN_VALUE, null);

    Entry hinted(long number) {
      return new Entry(number, priority, lastRun);
    }

    Entry first(int nowPriority) {
      return new Entry(hint, nowPriority, lastRun);
    }
  }

  /**
   * What is new since the last one.
   *
   * @param hinted a task may wait in these
   * @param found a task waits in these; each with the priority of its first one
   */
  record News(Set<QueueId> hinted, Map<QueueId, Integer> found) {}

  /**
   * A task queue to read.
   *
   * @param hint the last one that named it
   * @param lastRun the run of which it had a task last; null before the first
   */
  record Chosen(QueueId queue, long hint, @Nullable RunId lastRun) {}

  /**
   * @param settings a tick is the time between two polls
   * @param ticker monotonic nanoseconds
   */
  public WaitingQueues(DispatchStore store, EngineSettings settings, LongSupplier ticker) {
    this.store = store;
    this.pollEvery = settings.tick();
    this.ticker = ticker;
  }

  /**
   * A task waits in these. Call it after the commit.
   *
   * @param queues empty means that the next look must find out which
   */
  public synchronized void hint(Collection<QueueId> queues) {
    if (queues.isEmpty()) {
      pollWanted = true;
    }
    hints++;
    for (QueueId queue : queues) {
      entries.put(queue, entries.getOrDefault(queue, Entry.NEW).hinted(hints));
      hinted.add(queue);
    }
  }

  /** Finds the task queues that no hint named, if it is time for that. */
  void poll(Epoch epoch) {
    QueueId after;
    int max;
    boolean anew;
    long asked = ticker.getAsLong();
    synchronized (this) {
      anew = !epoch.equals(polledBy) || pollWanted;
      if (!anew && !sweeping && asked - polledAt < pollEvery.toNanos()) {
        return;
      }
      after = anew ? null : polledUpTo;
      max = anew || sweeping ? SWEPT_MAX : POLLED_MAX;
      pollWanted = false;
    }
    List<Head> heads = List.of();
    boolean done = false;
    try {
      heads = store.readWaiting(after, max);
      done = true;
    } finally {
      synchronized (this) {
        pollWanted |= anew && !done;
      }
    }
    synchronized (this) {
      heads.forEach(this::found);
      boolean more = heads.size() >= max;
      polledBy = epoch;
      polledAt = asked;
      polledUpTo = more ? heads.getLast().queue() : null;
      sweeping = more && (anew || sweeping);
    }
  }

  private void found(Head head) {
    Entry known = entries.get(head.queue());
    if (known == null || known.priority() < head.priority()) {
      entries.put(head.queue(), (known == null ? Entry.NEW : known).first(head.priority()));
      found.put(head.queue(), head.priority());
    }
  }

  /** What is new since the last call. */
  synchronized News news() {
    News news = new News(new LinkedHashSet<>(hinted), new LinkedHashMap<>(found));
    hinted.clear();
    found.clear();
    return news;
  }

  /** Call it before the read. */
  synchronized Chosen choose(QueueId queue) {
    Entry known = entries.getOrDefault(queue, Entry.NEW);
    return new Chosen(queue, known.hint(), known.lastRun());
  }

  /** Null when no task waits in it, as far as known. */
  synchronized @Nullable Chosen find(QueueId queue) {
    Entry known = entries.get(queue);
    return known == null ? null : new Chosen(queue, known.hint(), known.lastRun());
  }

  /** The first task that waits in it has this priority. */
  synchronized void first(QueueId queue, int priority) {
    entries.computeIfPresent(
        queue, (id, known) -> known.priority() == priority ? known : known.first(priority));
  }

  /** All of them, in no order. */
  synchronized List<Chosen> all() {
    List<Chosen> all = new ArrayList<>(entries.size());
    entries.forEach((queue, entry) -> all.add(new Chosen(queue, entry.hint(), entry.lastRun())));
    return all;
  }

  /** A task of it, and of this run, found a worker: others are next. */
  synchronized void served(QueueId queue, @Nullable RunId run) {
    if (run != null) {
      entries.computeIfPresent(
          queue, (id, known) -> new Entry(known.hint(), known.priority(), run));
    }
  }

  /** No task waits in it, unless it was hinted since it was chosen: then it stays. */
  synchronized void empty(Chosen chosen) {
    Entry known = entries.get(chosen.queue());
    if (known != null && known.hint() == chosen.hint()) {
      entries.remove(chosen.queue());
    }
  }

  synchronized Set<QueueId> known() {
    return new HashSet<>(entries.keySet());
  }
}
