package dev.belay.engine.result;

import dev.belay.domain.id.DispatchId;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers the results of all workers of this replica and writes many in one commit. While it writes
 * one batch the next one gathers, so an idle system does not wait and a busy one batches. It
 * answers a result only after the commit; a result that it could not write stays in front.
 */
public final class ResultBatcher {

  private static final Logger log = LoggerFactory.getLogger(ResultBatcher.class);

  private final Results results;
  private final Hints hints;
  private final Meters meters;
  private final LongSupplier ticker;
  private final EngineSettings settings;
  private final Signal wake;
  private final Consumer<List<DispatchId>> over;
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private final FailureLog trouble = new FailureLog(log, "results not written");

  private record Entry(WorkerEvent event, Consumer<List<Settlement>> answer) {}

  /**
   * @param over hears of the dispatches that are over, after the commit and before the hint
   */
  public ResultBatcher(
      Results results,
      Hints hints,
      Meters meters,
      LongSupplier ticker,
      EngineSettings settings,
      Signal wake,
      Consumer<List<DispatchId>> over) {
    this.results = results;
    this.meters = meters;
    this.ticker = ticker;
    this.hints = hints;
    this.settings = settings;
    this.wake = wake;
    this.over = over;
  }

  /**
   * False when too many results wait: nothing was taken, and the sender must retry more slowly. An
   * empty queue takes a message of any size: its sender would repeat it for ever.
   *
   * @param answer called after commit, perhaps for parts of the events
   */
  public boolean offer(List<WorkerEvent> events, Consumer<List<Settlement>> answer) {
    synchronized (waiting) {
      if (!waiting.isEmpty() && waiting.size() + events.size() > settings.resultsQueue()) {
        return false;
      }
      events.forEach(event -> waiting.add(new Entry(event, answer)));
    }
    wake.raise();
    return true;
  }

  /** Writes one batch. Zero means: call again at once. */
  public Duration runOnce() {
    List<Entry> batch = new ArrayList<>();
    synchronized (waiting) {
      while (!waiting.isEmpty() && batch.size() < settings.resultsMax()) {
        batch.add(waiting.poll());
      }
    }
    if (batch.isEmpty()) {
      return settings.tick();
    }
    List<Entry> unwritten;
    try {
      unwritten = write(batch);
    } catch (Error failed) {
      // Writing twice is harmless (the answer is duplicate); forgetting a result is not.
      putBack(batch);
      throw failed;
    }
    putBack(unwritten);
    return unwritten.isEmpty() ? Duration.ZERO : settings.storeRetry();
  }

  private void putBack(List<Entry> entries) {
    synchronized (waiting) {
      entries.reversed().forEach(waiting::addFirst);
    }
  }

  public int depth() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  /**
   * Returns what it could not write. Splits a failed batch, so that one bad result stops no other,
   * unless the store is down.
   */
  private List<Entry> write(List<Entry> batch) {
    Results.Written written;
    try {
      written = timed(batch.stream().map(Entry::event).toList());
    } catch (RuntimeException failed) {
      trouble.met(failed, event -> event.addKeyValue("results", batch.size()));
      // Part of it may be written; the answers to that will be duplicates, which send no hints.
      hints.runChanged();
      hints.workReady();
      if (batch.size() == 1 || results.isAway(failed)) {
        return batch;
      }
      var unwritten = new ArrayList<>(write(batch.subList(0, batch.size() / 2)));
      unwritten.addAll(write(batch.subList(batch.size() / 2, batch.size())));
      return unwritten;
    }
    trouble.over();
    over.accept(ends(written.settlements()));
    if (written.runsChanged()) {
      hints.runChanged();
    }
    if (written.workReady()) {
      hints.workReady();
    }
    Map<Consumer<List<Settlement>>, List<Settlement>> answers = new LinkedHashMap<>();
    for (int i = 0; i < batch.size(); i++) {
      answers
          .computeIfAbsent(batch.get(i).answer(), answer -> new ArrayList<>())
          .add(written.settlements().get(i));
    }
    answers.forEach(Consumer::accept);
    return List.of();
  }

  /** A void end may be of a dispatch that runs on, in another session. */
  private static List<DispatchId> ends(List<Settlement> settlements) {
    List<DispatchId> ends = new ArrayList<>(settlements.size());
    for (Settlement settlement : settlements) {
      if (settlement.event() instanceof WorkerEvent.Ended ended
          && settlement.answer() != Settlement.Answer.VOID) {
        ends.add(ended.dispatch());
      }
    }
    return ends;
  }

  private Results.Written timed(List<WorkerEvent> events) {
    long begun = ticker.getAsLong();
    Results.Written written = results.write(events);
    meters.happened(written.effects());
    meters.reported(written.settlements(), Duration.ofNanos(ticker.getAsLong() - begun));
    return written;
  }
}
