package dev.belay.engine.dispatch;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Workers as of a recent read, plus the claims made since. The roster never underestimates the load
 * of a worker: it adds claims at once, and sees ends only with the next read. So it saves reads
 * while there is room and cannot overfill a worker. The phase reads; claims add.
 */
final class Roster {

  private final DispatchStore store;
  private final Duration ageMax;
  private final LongSupplier ticker;

  private @Nullable Epoch epoch;
  private long distrusts;
  private long readAt;
  private List<Routing.Worker> workers = List.of();
  private Map<WorkerId, Integer> claimed = new HashMap<>();

  Roster(DispatchStore store, Duration ageMax, LongSupplier ticker) {
    this.store = store;
    this.ageMax = ageMax;
    this.ticker = ticker;
  }

  /** Whether this leadership read it recently. */
  synchronized boolean isFresh(Epoch leadership) {
    return leadership.equals(epoch) && ticker.getAsLong() - readAt < ageMax.toNanos();
  }

  /** Resets the claims before it reads, so a claim in between counts twice rather than never. */
  void read(Epoch leadership) {
    long distrustsBefore;
    synchronized (this) {
      claimed = new HashMap<>();
      epoch = null;
      distrustsBefore = distrusts;
    }
    long asked = ticker.getAsLong();
    List<Routing.Worker> read = store.readWorkers();
    synchronized (this) {
      workers = read;
      readAt = asked;
      epoch = distrusts == distrustsBefore ? leadership : null;
    }
  }

  /** A claim contradicted the roster: a worker joined or left. */
  synchronized void distrust() {
    distrusts++;
    epoch = null;
  }

  /** Call before the claim leaves the pool. */
  synchronized void claimed(WorkerId worker, int tasks) {
    claimed.merge(worker, tasks, Integer::sum);
  }

  /** The workers with all tasks that they hold or are about to hold. */
  synchronized List<Routing.Worker> workers(Map<WorkerId, Integer> underWay) {
    return workers.stream()
        .map(
            worker ->
                new Routing.Worker(
                    worker.id(),
                    worker.session(),
                    worker.pools(),
                    worker.slots(),
                    worker.active()
                        + claimed.getOrDefault(worker.id(), 0)
                        + underWay.getOrDefault(worker.id(), 0)))
        .toList();
  }
}
