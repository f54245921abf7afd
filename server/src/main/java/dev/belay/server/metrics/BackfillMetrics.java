package dev.belay.server.metrics;

import dev.belay.engine.schedule.BackfillMeters;
import dev.belay.engine.schedule.BackfillPhase;
import java.util.concurrent.atomic.AtomicInteger;

/** The meters of backfills. Thread-safe. */
public final class BackfillMetrics implements BackfillMeters {

  private final BelayMetrics metrics;
  private final AtomicInteger active = new AtomicInteger();

  public BackfillMetrics(BelayMetrics metrics) {
    this.metrics = metrics;
    metrics.watch(Metric.BACKFILLS_ACTIVE, active::get);
    metrics.backfillRunsCreated(0);
  }

  @Override
  public void created(int runs) {
    metrics.backfillRunsCreated(runs);
  }

  @Override
  public void active(int backfills) {
    active.set(backfills);
  }

  @Override
  public void gaveUp() {
    metrics.alerted(BackfillPhase.ALERT, 1);
  }
}
