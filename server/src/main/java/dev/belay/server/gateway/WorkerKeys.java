package dev.belay.server.gateway;

import com.linecorp.armeria.common.RequestHeaders;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.session.wire.CallHeaders;
import dev.belay.session.wire.WireId;
import dev.belay.session.wire.WorkerKey;
import dev.belay.store.worker.KeyRows;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Identifies the worker behind a call by the headers that prove it. It caches database answers for
 * a moment: a worker that calls often needs no query each time, and a revoked worker gets in for no
 * longer than that. Thread-safe; may block.
 */
public final class WorkerKeys {

  private static final Duration BELIEVED = Duration.ofSeconds(1);
  private static final int CACHED_MAX = 10_000;

  /**
   * A worker that proved its identity.
   *
   * @param session as the worker claims; not compared with the registered one
   */
  public record Caller(WorkerId worker, SessionId session) {}

  private record Cached(Optional<KeyRows.Known> known, long atNanos) {}

  private final Function<WorkerId, Optional<KeyRows.Known>> find;
  private final LongSupplier ticker;

  /** Evicts the least recently used. */
  private final Map<WorkerId, Cached> cache =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<WorkerId, Cached> eldest) {
          return size() > CACHED_MAX;
        }
      };

  /**
   * @param ticker monotonic nanoseconds
   */
  public WorkerKeys(Function<WorkerId, Optional<KeyRows.Known>> find, LongSupplier ticker) {
    this.find = find;
    this.ticker = ticker;
  }

  /** Empty when the headers do not prove that a joined worker calls. */
  public Optional<Caller> caller(RequestHeaders headers) {
    var worker = headers.get(CallHeaders.WORKER, "");
    var session = headers.get(CallHeaders.SESSION, "");
    if (!WireId.isUuid(worker) || !WireId.isUuid(session)) {
      return Optional.empty();
    }
    var caller = new Caller(WorkerId.of(worker), SessionId.of(session));
    return WorkerKey.parse(headers.get(CallHeaders.KEY, ""))
        .filter(key -> isOf(caller.worker(), key))
        .map(key -> caller);
  }

  private boolean isOf(WorkerId worker, WorkerKey key) {
    return known(worker).filter(known -> !known.revoked() && known.isOf(key.hash())).isPresent();
  }

  private Optional<KeyRows.Known> known(WorkerId worker) {
    synchronized (cache) {
      var cached = cache.get(worker);
      if (cached != null && ticker.getAsLong() - cached.atNanos() < BELIEVED.toNanos()) {
        return cached.known();
      }
    }
    long asked = ticker.getAsLong();
    var known = find.apply(worker);
    synchronized (cache) {
      cache.put(worker, new Cached(known, asked));
    }
    return known;
  }
}
