package dev.belay.server.gateway;

import dev.belay.domain.id.WorkerId;
import dev.belay.engine.port.RefusedHellos;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.Registration.HelloRefusal;
import dev.belay.store.recovery.Alert;
import dev.belay.store.recovery.Alerts;
import dev.belay.store.worker.KeyRows;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts refused hellos, logs them, and raises an alert for those without the worker's key. However
 * many come, it logs and alerts each kind per worker and address only once in a while. Thread-safe.
 */
public final class RefusalRecord implements RefusedHellos {

  private static final Logger log = LoggerFactory.getLogger(RefusalRecord.class);
  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final int REMEMBERED_MAX = 1_000;

  private final Jdbi jdbi;
  private final BelayMetrics metrics;
  private final LongSupplier ticker;

  private record Kind(HelloRefusal why, String worker, String address) {}

  /** When each kind was last logged; evicts the least recently seen. */
  private final Map<Kind, Long> told =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Kind, Long> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /**
   * @param ticker monotonic nanoseconds
   */
  public RefusalRecord(Jdbi jdbi, BelayMetrics metrics, LongSupplier ticker) {
    this.jdbi = jdbi;
    this.metrics = metrics;
    this.ticker = ticker;
  }

  @Override
  public void refused(Optional<WorkerId> named, Registration.Refused refused, String address) {
    metrics.helloRefused(refused.why());
    String worker = named.map(WorkerId::toString).orElse("");
    if (!isDue(new Kind(refused.why(), worker, address))) {
      return;
    }
    log.atWarn()
        .addKeyValue("worker", worker)
        .addKeyValue("address", address)
        .addKeyValue("reason", refused.reason())
        .log("hello refused");
    if (refused.why() == HelloRefusal.WRONG_KEY) {
      alert(WorkerId.of(worker), address);
    }
  }

  private boolean isDue(Kind kind) {
    long now = ticker.getAsLong();
    synchronized (told) {
      Long last = told.get(kind);
      if (last != null && now - last < QUIET.toNanos()) {
        return false;
      }
      told.put(kind, now);
      return true;
    }
  }

  /** Uses the name that the real worker gave, not the impostor's. */
  private void alert(WorkerId worker, String address) {
    try {
      String name = new KeyRows(jdbi).find(worker).map(KeyRows.Known::name).orElse("");
      String detail =
          "worker %s (%s): a hello without its key came from %s and was refused. If it is the worker itself, its key was lost: `belay workers allow %s`. If not, somebody has the join token: replace it"
              .formatted(name, worker, address, worker);
      boolean raised =
          jdbi.inTransaction(handle -> Alerts.raise(handle, Alert.WORKER_KEY_REFUSED, detail));
      if (raised) {
        metrics.alerted(Alert.WORKER_KEY_REFUSED, 1);
      }
    } catch (RuntimeException failed) {
      log.atWarn().addKeyValue("why", failed.toString()).log("alert not raised");
    }
  }
}
