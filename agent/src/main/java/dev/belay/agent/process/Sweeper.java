package dev.belay.agent.process;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills the processes that left their task's group. It finds them by their cookies.
 *
 * <p>The cost of reading /proc grows with the machine's processes, so all ends of the last interval
 * share one reading: the total cost depends on time, not on the number of tasks.
 */
final class Sweeper {

  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);

  private final SessionId session;
  private final ProcessSettings settings;
  private final ScheduledExecutorService scheduler;
  private final Executor background;
  private final LongSupplier ticker;

  private Map<DispatchId, CompletableFuture<Void>> waiting = new HashMap<>();
  private boolean busy;
  private long lastStart;

  Sweeper(
      SessionId session,
      ProcessSettings settings,
      ScheduledExecutorService scheduler,
      Executor background,
      LongSupplier ticker) {
    this.session = session;
    this.settings = settings;
    this.scheduler = scheduler;
    this.background = background;
    this.ticker = ticker;
    this.lastStart = ticker.getAsLong() - settings.sweepInterval().toNanos();
  }

  /** Completes when no process of the dispatch is left, or after the maximum number of rounds. */
  synchronized CompletableFuture<Void> sweep(DispatchId dispatch) {
    CompletableFuture<Void> done =
        waiting.computeIfAbsent(dispatch, d -> new CompletableFuture<>());
    scheduleNext();
    return done;
  }

  private void scheduleNext() {
    if (busy || waiting.isEmpty()) {
      return;
    }
    long wait = lastStart + settings.sweepInterval().toNanos() - ticker.getAsLong();
    try {
      var _ = scheduler.schedule(this::start, Math.max(0, wait), TimeUnit.NANOSECONDS);
      busy = true;
    } catch (RejectedExecutionException closing) {
      leaveToNextAgent();
    }
  }

  private void start() {
    try {
      background.execute(this::runOnce);
    } catch (RejectedExecutionException closing) {
      synchronized (this) {
        busy = false;
        leaveToNextAgent();
      }
    } catch (RuntimeException | Error e) {
      // No thread available. An exception would end in the timer, and no sweep would ever follow.
      log.atWarn().addKeyValue("cause", e).log("sweep cannot start; it is tried again");
      synchronized (this) {
        busy = false;
        lastStart = ticker.getAsLong();
        scheduleNext();
      }
    }
  }

  /** The agent ends; the next one sweeps the rest. */
  private void leaveToNextAgent() {
    waiting.values().forEach(done -> done.complete(null));
    waiting.clear();
  }

  private void runOnce() {
    Map<DispatchId, CompletableFuture<Void>> batch;
    synchronized (this) {
      batch = waiting;
      waiting = new HashMap<>();
      lastStart = ticker.getAsLong();
    }
    try {
      int killed =
          killAll(
              settings.sweepRounds(),
              (s, d) -> s.equals(session) && batch.containsKey(d),
              Duration.ofMillis(10));
      if (killed > 0) {
        log.atInfo().addKeyValue("processes", killed).log("processes that left their group ended");
      }
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("sweep failed; processes that left their group may live on");
    } finally {
      batch.values().forEach(done -> done.complete(null));
      synchronized (this) {
        busy = false;
        scheduleNext();
      }
    }
  }

  /** Kills the processes with matching cookies and repeats until it finds none. */
  static int killAll(int rounds, BiPredicate<SessionId, DispatchId> wanted, Duration between) {
    int killed = 0;
    for (int round = 0; round < rounds; round++) {
      List<Long> found = Cookies.find(wanted);
      if (found.isEmpty()) {
        return killed;
      }
      found.forEach(pid -> Libc.kill(pid, Libc.SIGKILL));
      killed += round == 0 ? found.size() : 0;
      try {
        Thread.sleep(between);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return killed;
      }
    }
    log.atWarn().log("processes with our cookie are still there after the last round");
    return killed;
  }
}
