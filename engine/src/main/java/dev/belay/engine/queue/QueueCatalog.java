package dev.belay.engine.queue;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.port.QueueStore;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The ids of task queues, and back. Most tasks share a few task queues, so that the usual answer
 * comes from memory. Bounded; the least recently used go first. Thread-safe.
 */
public final class QueueCatalog {

  private static final int KNOWN_MAX = 20_000;

  /**
   * One that is found may have been unused for a day before; both together are less than it is
   * kept.
   */
  private static final Duration TRUST = Duration.ofDays(1);

  private final QueueStore store;
  private final LongSupplier ticker;
  private final Map<TaskQueue, Known> ids = lru();
  private final Map<QueueId, TaskQueue> specs = lru();

  /**
   * @param internedAt when the store was asked, so that it is in use since then
   */
  private record Known(QueueId id, long internedAt) {}

  /**
   * @param ticker monotonic nanoseconds
   */
  public QueueCatalog(QueueStore store, LongSupplier ticker) {
    this.store = store;
    this.ticker = ticker;
  }

  private static <K, V> Map<K, V> lru() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > KNOWN_MAX;
      }
    };
  }

  /**
   * Stores tasks in these task queues. Call it outside a transaction: a task queue that is new is
   * committed by itself.
   *
   * @param store gets the id of each task queue; it must throw {@link UnknownQueue} rather than
   *     store one that may be deleted, and is called again then. The time of this process alone
   *     does not tell: it may stand still while its machine sleeps
   */
  public <T> T store(Collection<TaskQueue> wanted, Function<Map<TaskQueue, QueueId>, T> store) {
    try {
      return store.apply(ids(wanted));
    } catch (UnknownQueue unknown) {
      synchronized (this) {
        ids.keySet().removeAll(wanted);
      }
      return store.apply(ids(wanted));
    }
  }

  /** The id of each task queue, some of which may be deleted, see {@link #store}. */
  public Map<TaskQueue, QueueId> ids(Collection<TaskQueue> queues) {
    Map<TaskQueue, QueueId> found = new LinkedHashMap<>();
    Set<TaskQueue> missing = new LinkedHashSet<>();
    long now = ticker.getAsLong();
    synchronized (this) {
      for (TaskQueue queue : queues) {
        Known known = ids.get(queue);
        if (known != null && now - known.internedAt() < TRUST.toNanos()) {
          found.put(queue, known.id());
        } else {
          missing.add(queue);
        }
      }
    }
    if (!missing.isEmpty()) {
      Map<TaskQueue, QueueId> interned = store.intern(missing);
      found.putAll(interned);
      synchronized (this) {
        interned.forEach((queue, id) -> ids.put(queue, new Known(id, now)));
      }
    }
    return found;
  }

  /** The task queues that exist among these. */
  public Map<QueueId, TaskQueue> specs(Collection<QueueId> wanted) {
    Map<QueueId, TaskQueue> found = new HashMap<>();
    Set<QueueId> missing = new LinkedHashSet<>();
    synchronized (this) {
      for (QueueId id : wanted) {
        TaskQueue known = specs.get(id);
        if (known != null) {
          found.put(id, known);
        } else {
          missing.add(id);
        }
      }
    }
    if (!missing.isEmpty()) {
      Map<QueueId, TaskQueue> read = store.readQueues(missing);
      found.putAll(read);
      synchronized (this) {
        specs.putAll(read);
      }
    }
    return found;
  }
}
