package dev.belay.server.logs;

import dev.belay.domain.id.WorkerId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How fast each worker may log: one second ahead of its rate, then it waits. */
public final class LogRates {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final long bytesPerSecond;
  private final int workersMax;
  private final LongSupplier ticker;

  /** The time at which all that a worker has sent would have come at its rate. */
  private final Map<WorkerId, Long> paidUntil = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param workersMax a worker that was quiet for longest is forgotten beyond this
   * @param ticker monotonic nanoseconds
   */
  public LogRates(long bytesPerSecond, int workersMax, LongSupplier ticker) {
    this.bytesPerSecond = bytesPerSecond;
    this.workersMax = workersMax;
    this.ticker = ticker;
  }

  /** How long to wait before more is taken from this worker. */
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
