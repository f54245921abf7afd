package dev.belay.server.logs;

import dev.belay.domain.id.WorkerId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Limits how fast each worker may log: it may be one second ahead of its rate, then it waits. */
public final class LogRates {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final long bytesPerSecond;
  private final int workersMax;
  private final LongSupplier ticker;

  /** The time at which each worker's bytes would have arrived at exactly its rate. */
  private final Map<WorkerId, Long> paidUntil = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param workersMax beyond this, forgets the worker that was quiet for longest
   * @param ticker monotonic nanoseconds
   */
  public LogRates(long bytesPerSecond, int workersMax, LongSupplier ticker) {
    this.bytesPerSecond = bytesPerSecond;
    this.workersMax = workersMax;
    this.ticker = ticker;
  }

  /** How long to wait before taking more from this worker. */
  public synchronized Duration charge(WorkerId worker, long bytes) {
    long now = ticker.getAsLong();
    Long before = paidUntil.get(worker);
    long from = before == null || before - now < 0 ? now : before;
    long until = from + (long) ((double) bytes / bytesPerSecond * SECOND);
    paidUntil.put(worker, until);
    if (paidUntil.size() > workersMax) {
      paidUntil.remove(paidUntil.keySet().iterator().next());
    }
    return Duration.ofNanos(Math.max(0, until - now - SECOND));
  }
}
