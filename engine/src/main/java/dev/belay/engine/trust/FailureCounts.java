package dev.belay.engine.trust;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.trust.FailureStreak;
import dev.belay.domain.trust.TrustSettings;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.TrustStore;
import dev.belay.engine.result.Results;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the fast failures in a row of each worker that reports to this replica. For the one thread
 * that writes results.
 */
public final class FailureCounts implements Results {

  private static final Logger log = LoggerFactory.getLogger(FailureCounts.class);

  /** Workers that failed lately; the one that was heard of least recently is forgotten first. */
  private static final int WORKERS_MAX = 10_000;

  private final Results results;
  private final TrustStore store;
  private final TrustSettings settings;
  private final LongSupplier ticker;
  private final Runnable onSuspect;
  private final Map<WorkerId, Count> counts = new LinkedHashMap<>(16, 0.75f, true);
  private final FailureLog trouble = new FailureLog(log, "failures of a worker are not noted");

  /** The row of failures of one session. */
  private static final class Count {
    final SessionId session;
    final FailureStreak streak;
    int noted;

    Count(SessionId session, TrustSettings settings) {
      this.session = session;
      this.streak = new FailureStreak(settings);
    }
  }

  /**
   * @param results writes the results that are counted
   * @param ticker monotonic nanoseconds
   * @param onSuspect called before anyone hears of the slots that the failures freed
   */
  public FailureCounts(
      Results results,
      TrustStore store,
      TrustSettings settings,
      LongSupplier ticker,
      Runnable onSuspect) {
    this.results = results;
    this.store = store;
    this.settings = settings;
    this.ticker = ticker;
    this.onSuspect = onSuspect;
  }

  @Override
  public Written write(List<WorkerEvent> events) {
    Written written = results.write(events);
    if (settings.isOn()) {
      count(written);
    }
    return written;
  }

  @Override
  public boolean isAway(RuntimeException failure) {
    return results.isAway(failure);
  }

  private void count(Written written) {
    if (written.failed().isEmpty() && counts.isEmpty()) {
      return;
    }
    Set<WorkerId> heard = new LinkedHashSet<>();
    for (Settlement settlement : written.settlements()) {
      if (settlement.answer() == Settlement.Answer.APPLIED
          && settlement.event() instanceof WorkerEvent.Ended ended) {
        count(ended, written.failed());
        heard.add(ended.worker());
      }
    }
    for (WorkerId worker : heard) {
      Count count = counts.get(worker);
      if (count != null && isOver(worker, count)) {
        counts.remove(worker);
      }
    }
  }

  private void count(WorkerEvent.Ended ended, Set<DispatchId> failed) {
    Count known = counts.get(ended.worker());
    if (known != null && !known.session.equals(ended.session())) {
      known = null;
    }
    if (ended.outcome().isSuccess()) {
      if (known != null) {
        known.streak.succeeded();
      }
    } else if (failed.contains(ended.dispatch())) {
      Count count = known == null ? begin(ended) : known;
      count.streak.failed(ended.task(), ran(ended), ticker.getAsLong());
    }
  }

  private Count begin(WorkerEvent.Ended ended) {
    var count = new Count(ended.session(), settings);
    counts.put(ended.worker(), count);
    if (counts.size() > WORKERS_MAX) {
      counts.remove(counts.keySet().iterator().next());
    }
    return count;
  }

  private static Duration ran(WorkerEvent.Ended ended) {
    var execution = ended.execution();
    return execution.startedAtMs() == 0
        ? Duration.ZERO
        : Duration.ofMillis(Math.max(0, execution.endedAtMs() - execution.startedAtMs()));
  }

  /** Notes the length of the row, if it is or was suspicious. */
  private boolean isOver(WorkerId worker, Count count) {
    int length = count.streak.length(ticker.getAsLong());
    int shown = length < settings.suspicious() ? 0 : length;
    if (shown != count.noted) {
      try {
        boolean noted = store.note(worker, count.session, count.noted, shown);
        trouble.over();
        if (!noted) {
          return true;
        }
        count.noted = shown;
        onSuspect.run();
      } catch (RuntimeException failed) {
        // The next end of a task tries again.
        trouble.met(failed, event -> event.addKeyValue("worker", worker));
        return false;
      }
    }
    return length == 0;
  }
}
