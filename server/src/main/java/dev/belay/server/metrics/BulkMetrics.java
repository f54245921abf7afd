package dev.belay.server.metrics;

import dev.belay.domain.bulk.BulkKind;
import dev.belay.engine.bulk.BulkMeters;
import dev.belay.engine.bulk.BulkPhase;
import java.util.concurrent.atomic.AtomicInteger;

/** The meters of bulk operations. Thread-safe. */
public final class BulkMetrics implements BulkMeters {

  private final BelayMetrics metrics;
  private final AtomicInteger active = new AtomicInteger();

  public BulkMetrics(BelayMetrics metrics) {
    this.metrics = metrics;
    metrics.watch(Metric.BULKS_ACTIVE, active::get);
    for (BulkKind kind : BulkKind.values()) {
      dealtWith(kind, 0, 0);
    }
  }

  @Override
  public void dealtWith(BulkKind kind, int changed, int refused) {
    metrics.bulkItems(Metric.BULK_CHANGED, kind.word(), changed);
    metrics.bulkItems(Metric.BULK_REFUSED, kind.word(), refused);
  }

  @Override
  public void active(int operations) {
    active.set(operations);
  }

  @Override
  public void failed() {
    metrics.alerted(BulkPhase.ALERT, 1);
  }
}
