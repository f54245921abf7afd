package dev.belay.engine.leader;

import dev.belay.engine.loop.Signal;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Election;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads when it can. Two loops step it: {@link #elect} keeps or seeks the leadership, and only it
 * touches the election; {@link #tick} works while the leadership is held and recently proven. The
 * epoch lock in the store, not timing, stops a tick that outlives its leadership.
 */
public final class Leader {

  private static final Logger log = LoggerFactory.getLogger(Leader.class);

  private final Election election;
  private final Tick tick;
  private final LeaderSettings settings;
  private final Signals signals;
  private final LongSupplier ticker;
  private final AtomicReference<@Nullable Held> held = new AtomicReference<>();
  private final AtomicLong changes = new AtomicLong();
  private final AtomicBoolean planWanted = new AtomicBoolean();
  private volatile boolean stopping;

  /** When the next full turn is due, with or without changes. Only the tick loop writes it. */
  private volatile long wholeAt;

  /** The soonest timer that was hinted since the last full turn began; null means none. */
  private final AtomicReference<@Nullable Long> hintedDueAt = new AtomicReference<>();

  /** The leadership that the election has, or had. For the election loop only. */
  private @Nullable Held won;

  /** Wake the two loops of this replica, and hint the other replicas. */
  public record Signals(Signal wakeTick, Signal wakeElection, Hints hints) {}

  /**
   * @param ticker monotonic nanoseconds; measures the trust window
   */
  public Leader(
      Election election, Tick tick, LeaderSettings settings, Signals signals, LongSupplier ticker) {
    this.election = election;
    this.tick = tick;
    this.settings = settings;
    this.signals = signals;
    this.ticker = ticker;
  }

  /** One leadership of this replica. */
  private static final class Held {
    final Epoch epoch;

    /** When the last successful proof was requested: it held at some time after that. */
    volatile long provenAt;

    /** When the last tick without a failed phase ended; initially the start of the leadership. */
    volatile long tickedAt;

    Held(Epoch epoch, long askedAt) {
      this.epoch = epoch;
      this.provenAt = askedAt;
      this.tickedAt = askedAt;
    }
  }

  public Optional<Epoch> epoch() {
    return Optional.ofNullable(held.get()).map(now -> now.epoch);
  }

  /** The epoch, if the leadership was recently proven. */
  public Optional<Epoch> trusted() {
    return Optional.ofNullable(held.get())
        .filter(now -> !stopping && isTrusted(now))
        .map(now -> now.epoch);
  }

  /** How often this replica became leader or stopped being leader. */
  public long changes() {
    return changes.get();
  }

  /** Time since the last complete tick; empty when this replica does not lead. */
  public Optional<Duration> sinceTick() {
    return Optional.ofNullable(held.get()).map(now -> since(now.tickedAt));
  }

  /** For the election loop only. */
  public Duration elect() {
    Held now = held.get();
    if (now == null) {
      letGo();
      seek();
    } else {
      prove(now);
    }
    return held.get() == null ? settings.campaign() : settings.renew();
  }

  private void seek() {
    if (stopping) {
      return;
    }
    long askedAt = ticker.getAsLong();
    election.campaign().ifPresent(epoch -> lead(new Held(epoch, askedAt)));
  }

  private void prove(Held now) {
    long askedAt = ticker.getAsLong();
    boolean proven = false;
    try {
      proven = election.renew();
    } finally {
      if (proven) {
        now.provenAt = askedAt;
      } else {
        end(now, "the leader lock is lost");
        letGo();
      }
    }
  }

  private void lead(Held now) {
    won = now;
    planWanted.set(true);
    held.set(now);
    changes.incrementAndGet();
    log.atInfo().addKeyValue("epoch", now.epoch.value()).log("leads");
    signals.wakeTick().raise();
    signals.hints().triggersChanged();
  }

  /** Starts no further tick; a running one continues. Keeps the lock until {@link #resign}. */
  public void stop() {
    stopping = true;
  }

  /** Call after {@link #stop}, when the election loop has ended. */
  public void resign() {
    stopping = true;
    Held now = held.get();
    if (now != null) {
      end(now, "shutdown");
    }
    if (letGo()) {
      signals.hints().leaderLeft();
    }
    election.resign();
  }

  /** From any thread. Ends only this leadership, because the election may have won a newer one. */
  private void end(Held now, String why) {
    if (held.compareAndSet(now, null)) {
      changes.incrementAndGet();
      log.atInfo()
          .addKeyValue("epoch", now.epoch.value())
          .addKeyValue("why", why)
          .log("leads no more");
    }
  }

  /** Releases what a past leadership of this replica still holds of the election. */
  private boolean letGo() {
    if (won == null) {
      return false;
    }
    election.resign();
    won = null;
    return true;
  }

  /**
   * A run changed, or a task waits for a time: makes the next turn a full one. A turn otherwise
   * only dispatches until a full one is due. Wake the tick afterwards.
   */
  public void planSoon() {
    planWanted.set(true);
  }

  /**
   * A new task waits for a time that is this far away. Shortens the sleep of the tick, if it would
   * sleep for longer. From any thread, after the commit of the task.
   */
  public void dueIn(Duration wait) {
    if (held.get() == null || wait.compareTo(settings.tick()) >= 0) {
      return; // A turn at the end of the usual sleep reads it in time.
    }
    long at = ticker.getAsLong() + wait.toNanos();
    Long soonest = hintedDueAt.accumulateAndGet(at, Leader::sooner);
    if (soonest != null && soonest == at && at - wholeAt < 0) {
      signals.wakeTick().raise();
    }
  }

  private static @Nullable Long sooner(@Nullable Long one, @Nullable Long other) {
    return one == null || (other != null && other - one < 0) ? other : one;
  }

  private boolean isTimerReached() {
    Long at = hintedDueAt.get();
    return at != null && at - ticker.getAsLong() <= 0;
  }

  /** For the tick loop only. */
  public Duration tick() {
    Held now = held.get();
    if (now == null || stopping || !isTrusted(now)) {
      return settings.tick();
    }
    try {
      boolean whole =
          planWanted.getAndSet(false) || wholeAt - ticker.getAsLong() <= 0 || isTimerReached();
      if (whole) {
        hintedDueAt.set(null); // The turn reads all timers that are committed by now.
      }
      Tick.Turn turn = whole ? tick.runOnce(now.epoch) : tick.dispatch(now.epoch);
      long endedAt = ticker.getAsLong();
      if (!turn.failed()) {
        now.tickedAt = endedAt;
      }
      if (whole) {
        wholeAt = endedAt + turn.sleep().toNanos();
      }
      Long hinted = hintedDueAt.get();
      long next = hinted != null && hinted - wholeAt < 0 ? hinted : wholeAt;
      long dispatchAt = endedAt + turn.dispatchIn().toNanos();
      next = dispatchAt - next < 0 ? dispatchAt : next;
      return Duration.ofNanos(Math.max(0, next - endedAt));
    } catch (Deposed deposed) {
      end(now, "deposed");
      signals.wakeElection().raise();
      return settings.tick();
    }
  }

  /**
   * A leader without a recent proof stops before the database gives its lock away. The epoch lock
   * would refuse its writes anyway; this saves the work.
   */
  private boolean isTrusted(Held now) {
    return since(now.provenAt).compareTo(settings.trust()) < 0;
  }

  private Duration since(long nanos) {
    return Duration.ofNanos(ticker.getAsLong() - nanos);
  }
}
