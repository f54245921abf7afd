package dev.belay.server.gateway;

import dev.belay.domain.id.WorkerId;
import dev.belay.server.logs.LogAccess;
import dev.belay.server.logs.LogRates;
import dev.belay.server.logs.LogStore;
import dev.belay.server.metrics.BelayMetrics;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

/**
 * Shared by the log streams of all workers. A worker has one stream: a newer one ends the older.
 *
 * @param executor a few threads that may block; each stream uses at most one at a time
 * @param changed runs after log bytes were stored
 */
public record LogGateway(
    WorkerKeys keys,
    LogAccess access,
    LogStore store,
    LogRates rates,
    BelayMetrics metrics,
    Executor executor,
    Runnable changed,
    Bounds bounds,
    ConcurrentMap<WorkerId, LogCall> streams) {

  /**
   * The limits sent to workers.
   *
   * @param maxBytes the largest log of one dispatch
   * @param retry how long workers wait before they send a refused piece again
   */
  public record Bounds(long maxBytes, Duration retry) {}

  public LogGateway(
      WorkerKeys keys,
      LogAccess access,
      LogStore store,
      LogRates rates,
      BelayMetrics metrics,
      Executor executor,
      Runnable changed,
      Bounds bounds) {
    this(keys, access, store, rates, metrics, executor, changed, bounds, new ConcurrentHashMap<>());
  }
}
