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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The task queues in which a task may wait. Hints name most of them; a poll finds the rest. A task
 * queue leaves when a read of it finds nothing. Thread-safe.
 */
public final class WaitingQueues {

  /** Task queues that one poll reads; the next one goes on behind them. */
  private static final int POLLED_MAX = 10_000;

  /** The priority of a task queue of which nobody has read the first task yet. */
  private static final int UNREAD = Integer.MAX_VALUE;

  private final DispatchStore store;
  private final Duration pollEvery;
  private final LongSupplier ticker;
  private final Map<QueueId, Entry> entries = new HashMap<>();
  private @Nullable Epoch polledBy;
  private @Nullable QueueId polledUpTo;
  private long polledAt;
  private boolean pollWanted;
  private long hints;
  private long turns;

  /**
   * @param hint the last one that named it: a read that began before knows nothing of it
   * @param priority of its first task, as far as known
   * @param turn when a task of it last found a worker
   * @param lastRun the run of which it had a task last; null before the first
   */
  private record Entry(long hint, int priority, long turn, @Nullable RunId lastRun) {
    static final Entry NEW = new Entry(0, UNREAD, 0, null);

    Entry hinted(long number, int nowPriority) {
      return new Entry(number, nowPriority, turn, lastRun);
    }

    Entry served(long nowTurn, @Nullable RunId run) {
      return new Entry(hint, priority, nowTurn, run);
    }
  }

  /**
   * A task queue to read.
   *
   * @param hint the last one that named it
   * @param priority of its first task, as far as known
   * @param lastRun the run of which it had a task last; null before the first
   */
  record Chosen(QueueId queue, long hint, int priority, @Nullable RunId lastRun) {}

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
      entries.put(queue, entries.getOrDefault(queue, Entry.NEW).hinted(hints, UNREAD));
    }
  }

  /** A task of these ended or was not claimed: it may wait again, but is not new. */
  synchronized void doubt(Collection<QueueId> queues) {
    hints++;
    for (QueueId queue : queues) {
      Entry known = entries.getOrDefault(queue, Entry.NEW);
      entries.put(queue, known.hinted(hints, known.priority()));
    }
  }

  /** Finds the task queues that no hint named, if it is time for that. */
  void poll(Epoch epoch) {
    QueueId after;
    long asked = ticker.getAsLong();
    synchronized (this) {
      boolean due =
          !epoch.equals(polledBy)
              || pollWanted
              || polledUpTo != null
              || asked - polledAt >= pollEvery.toNanos();
      if (!due) {
        return;
      }
      after = epoch.equals(polledBy) ? polledUpTo : null;
      pollWanted = false;
    }
    List<Head> found = List.of();
    boolean done = false;
    try {
      found = store.readWaiting(after, POLLED_MAX);
      done = true;
    } finally {
      synchronized (this) {
        pollWanted |= !done;
      }
    }
    synchronized (this) {
      for (Head head : found) {
        Entry known = entries.getOrDefault(head.queue(), Entry.NEW);
        entries.put(head.queue(), known.hinted(known.hint(), head.priority()));
      }
      polledBy = epoch;
      polledAt = asked;
      polledUpTo = found.size() < POLLED_MAX ? null : found.getLast().queue();
    }
  }

  /** All of them: those with the best first task first, then those that waited longest for it. */
  synchronized List<Chosen> inOrder() {
    List<Map.Entry<QueueId, Entry>> sorted = new ArrayList<>(entries.entrySet());
    sorted.sort(
        Comparator.comparingInt((Map.Entry<QueueId, Entry> each) -> -each.getValue().priority())
            .thenComparingLong(each -> each.getValue().turn())
            .thenComparing(Map.Entry::getKey));
    return sorted.stream()
        .map(
            each -> {
              Entry entry = each.getValue();
              return new Chosen(each.getKey(), entry.hint(), entry.priority(), entry.lastRun());
            })
        .toList();
  }

  /** All of them, in no order. */
  synchronized List<Chosen> all() {
    List<Chosen> all = new ArrayList<>(entries.size());
    entries.forEach(
        (queue, entry) ->
            all.add(new Chosen(queue, entry.hint(), entry.priority(), entry.lastRun())));
    return all;
  }

  /** A read found tasks of it; the last of them has this priority. */
  synchronized void found(Chosen chosen, int priority) {
    Entry known = entries.getOrDefault(chosen.queue(), Entry.NEW);
    if (known.hint() == chosen.hint()) {
      entries.put(chosen.queue(), known.hinted(known.hint(), priority));
    }
  }

  /** A task of it, and of this run, found a worker: others are next. */
  synchronized void served(QueueId queue, @Nullable RunId run) {
    entries.computeIfPresent(queue, (id, known) -> known.served(++turns, run));
  }

  /** A read found no task of it. */
  synchronized void empty(Chosen chosen) {
    Entry known = entries.get(chosen.queue());
    if (known != null && known.hint() == chosen.hint()) {
      entries.remove(chosen.queue());
    }
  }

  synchronized int size() {
    return entries.size();
  }
}
