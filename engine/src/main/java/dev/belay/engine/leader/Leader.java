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
 * Leads when it can. Two loops step it: {@link #elect} keeps or seeks the leadership and alone
 * touches the election; {@link #tick} works while the leadership is held and was proven lately.
 * What the ticking loop still does after the leadership was lost is stopped by the epoch lock in
 * the store, not by timing.
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

  /** The tick loop alone: when the next whole turn is due, whatever happens. */
  private long wholeAt;

  /** The loop of the election alone: the leadership that the election still has, or had. */
  private @Nullable Held won;

  /** Wakes the two loops of this replica, and tells the others. */
  public record Signals(Signal wakeTick, Signal wakeElection, Hints hints) {}

  /**
   * @param ticker monotonic nanoseconds; trust in the leadership is reckoned with it
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

    /** When the last proof that succeeded was asked for: what it says was true after that. */
    volatile long provenAt;

    /** When a tick ended in which every phase succeeded; at first when the leadership began. */
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

  /** The epoch, if the leadership was proven lately. */
  public Optional<Epoch> trusted() {
    return Optional.ofNullable(held.get())
        .filter(now -> !stopping && isTrusted(now))
        .map(now -> now.epoch);
  }

  /** How often this replica began or ceased to lead. */
  public long changes() {
    return changes.get();
  }

  /** Since the last tick that did all it should; empty when this replica does not lead. */
  public Optional<Duration> sinceTick() {
    return Optional.ofNullable(held.get()).map(now -> since(now.tickedAt));
  }

  /** Called by the election loop only. */
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
  }

  /**
   * No tick begins after this; the one that runs goes on. The lock is kept until {@link #resign}.
   */
  public void stop() {
    stopping = true;
  }

  /** Called when the election loop is over, after {@link #stop}. */
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

  /** Any thread: only this leadership, the election may have won a newer one meanwhile. */
  private void end(Held now, String why) {
    if (held.compareAndSet(now, null)) {
      changes.incrementAndGet();
      log.atInfo()
          .addKeyValue("epoch", now.epoch.value())
          .addKeyValue("why", why)
          .log("leads no more");
    }
  }

  /** Gives back what a past leadership of this replica still has of the election. */
  private boolean letGo() {
    if (won == null) {
      return false;
    }
    election.resign();
    won = null;
    return true;
  }

  /**
   * A run changed, or a task waits for a time: the next turn is a whole one. Without it, and before
   * one is due, a turn only dispatches. Then wake the tick.
   */
  public void planSoon() {
    planWanted.set(true);
  }

  /** Called by the tick loop only. */
  public Duration tick() {
    Held now = held.get();
    if (now == null || stopping || !isTrusted(now)) {
      return settings.tick();
    }
    try {
      boolean whole = planWanted.getAndSet(false) || wholeAt - ticker.getAsLong() <= 0;
      Tick.Turn turn = whole ? tick.runOnce(now.epoch) : tick.dispatch(now.epoch);
      long endedAt = ticker.getAsLong();
      if (!turn.failed()) {
        now.tickedAt = endedAt;
      }
      if (whole) {
        wholeAt = endedAt + turn.sleep().toNanos();
      }
      return Duration.ofNanos(Math.max(0, wholeAt - endedAt));
    } catch (Deposed deposed) {
      end(now, "deposed");
      signals.wakeElection().raise();
      return settings.tick();
    }
  }

  /**
   * A leader that cannot prove its leadership stops by itself, before the database gives the lock
   * away: the epoch lock would refuse its writes, but not spare it the work.
   */
  private boolean isTrusted(Held now) {
    return since(now.provenAt).compareTo(settings.trust()) < 0;
  }

  private Duration since(long nanos) {
    return Duration.ofNanos(ticker.getAsLong() - nanos);
  }
}
