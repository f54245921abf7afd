package dev.belay.engine.dispatch;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.statement.LimitStatements.Granted;
import dev.belay.engine.statement.LimitStatements.Hold;
import dev.belay.engine.statement.LimitStatements.Withdrawal;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of rate limits that the leader has withdrawn. A look withdraws the tokens that its
 * candidates can use, for all keys in one transaction; a claim spends one. What a refused claim
 * gives back stays here and is used first. It counts as part of the bucket until it is spent, so no
 * delay between withdrawal and claim lets more tasks start than the bucket allows. A leader that
 * dies loses what it holds, at most what it could start at once. Thread-safe.
 *
 * <p>Where task queues name one key with different rates, the smallest bucket and the slowest flow
 * of those with candidates count.
 */
public final class RateTokens {

  /** A bucket holds what flows in meanwhile, so a pause loses nothing. */
  private static final Duration PAUSE_MAX = Duration.ofMillis(50);

  /** Parts of the time in which the bucket fills. */
  private static final int PAUSES = 4;

  /** What is idle for so long goes back to the bucket. */
  private static final Duration SETTLED_AFTER = Duration.ofMillis(200);

  private final Transactions transactions;
  private final LongSupplier ticker;
  private final Map<OfTenant, Pocket> pockets = new HashMap<>();
  private final Map<DispatchId, OfTenant> flights = new HashMap<>();
  private @Nullable Epoch epoch;
  private long round;

  /** The tokens of a key. */
  private static final class Pocket {
    Wish last;
    int free;

    /** Those of claims that are not decided yet. */
    int inFlight;

    /** What the bucket's row says that the leader holds. */
    int told;

    /** The last round that asked for tokens. */
    long round;

    /** Before the last withdrawal of this leadership. */
    OptionalLong withdrawnAt = OptionalLong.empty();

    /** When a claim was decided last. */
    long decidedAt;

    /** When the bucket has its next token; empty while it has enough. */
    OptionalLong dueAt = OptionalLong.empty();

    Pocket(Wish first, long now) {
      this.last = first;
      this.decidedAt = now;
    }

    boolean isDue(long now) {
      return dueAt.isEmpty() || dueAt.getAsLong() - now <= 0;
    }

    boolean isEmpty(long now) {
      return inFlight == 0 && free == 0 && told == 0 && isDue(now);
    }

    boolean isIdle(long now) {
      return inFlight == 0 && free + told > 0 && now - decidedAt > SETTLED_AFTER.toNanos();
    }

    Hold hold(long now) {
      if (withdrawnAt.isEmpty()) {
        return Hold.UNKNOWN;
      }
      long from = withdrawnAt.getAsLong();
      return new Hold((now - from) / 1e9, Math.max(0, decidedAt - from) / 1e9);
    }
  }

  /** What the candidates of a look wish of a key. */
  private record Wish(int size, double perSecond, int tokens) {
    Wish and(Wish other) {
      return new Wish(
          Math.min(size, other.size),
          Math.min(perSecond, other.perSecond),
          (int) Math.min(Integer.MAX_VALUE, (long) tokens + other.tokens));
    }

    Duration pause(double left) {
      double wait = Math.max(0, 1 - left) / perSecond;
      double fills = size / perSecond;
      double least = Math.min(PAUSE_MAX.toNanos() / 1e9, fills / PAUSES);
      return Duration.ofNanos((long) Math.ceil(Math.max(wait, least) * 1e9));
    }
  }

  /**
   * @param ticker monotonic nanoseconds
   */
  public RateTokens(Transactions transactions, LongSupplier ticker) {
    this.transactions = transactions;
    this.ticker = ticker;
  }

  private static OfTenant key(TaskQueue queue, RateLimit rate) {
    return new OfTenant(queue.tenant(), rate.key());
  }

  /** Begins a round of this leadership: what is idle goes back. An earlier one left nothing. */
  void begin(Epoch leadership) {
    long now = ticker.getAsLong();
    List<Withdrawal> idle = idle(leadership, now);
    if (!idle.isEmpty()) {
      withdraw(leadership, idle, now);
    }
  }

  private synchronized List<Withdrawal> idle(Epoch leadership, long now) {
    if (!leadership.equals(epoch)) {
      pockets.clear();
      flights.clear();
      epoch = leadership;
    }
    round++;
    pockets.values().removeIf(pocket -> pocket.isEmpty(now));
    List<Withdrawal> idle = new ArrayList<>();
    pockets.forEach(
        (key, pocket) -> {
          if (pocket.isIdle(now)) {
            Wish wish = pocket.last;
            idle.add(
                new Withdrawal(
                    key, wish.size(), wish.perSecond(), 0, pocket.free, 0, pocket.hold(now)));
            pocket.free = 0;
          }
        });
    return idle;
  }

  /** How many tokens a task queue with a rate limit has. */
  synchronized int has(TaskQueue queue) {
    RateLimit rate = queue.rateLimit();
    Pocket pocket = rate == null ? null : pockets.get(key(queue, rate));
    return pocket == null ? 0 : pocket.free;
  }

  /** How many tokens it can have at most, if this round asks for them. */
  synchronized int mayHave(TaskQueue queue) {
    RateLimit rate = queue.rateLimit();
    if (rate == null) {
      return 0;
    }
    Pocket pocket = pockets.get(key(queue, rate));
    if (pocket == null) {
      return rate.max();
    }
    boolean asks = pocket.round != round && pocket.isDue(ticker.getAsLong());
    return asks ? rate.max() : pocket.free;
  }

  /**
   * Withdraws what these task queues can use, once in a round for each key.
   *
   * @param candidates how many tasks of each could start now
   */
  void withdraw(Epoch leadership, Map<TaskQueue, Integer> candidates) {
    Map<OfTenant, Wish> wishes = new LinkedHashMap<>();
    candidates.forEach(
        (queue, tasks) -> {
          RateLimit rate = queue.rateLimit();
          if (rate != null && tasks > 0) {
            wishes.merge(
                key(queue, rate), new Wish(rate.max(), rate.perSecond(), tasks), Wish::and);
          }
        });
    long now = ticker.getAsLong();
    List<Withdrawal> wanted = ask(wishes, now);
    if (!wanted.isEmpty()) {
      withdraw(leadership, wanted, now);
    }
  }

  private synchronized List<Withdrawal> ask(Map<OfTenant, Wish> wishes, long now) {
    List<Withdrawal> wanted = new ArrayList<>();
    wishes.forEach(
        (key, wish) -> {
          Pocket pocket = pockets.computeIfAbsent(key, any -> new Pocket(wish, now));
          pocket.last = wish;
          pocket.free = Math.min(pocket.free, Math.max(0, wish.size() - pocket.inFlight));
          int missing = Math.min(wish.tokens(), wish.size()) - pocket.free;
          if (missing > 0 && pocket.round != round && pocket.isDue(now)) {
            pocket.round = round;
            int held = pocket.free + pocket.inFlight;
            wanted.add(
                new Withdrawal(
                    key, wish.size(), wish.perSecond(), held, 0, missing, pocket.hold(now)));
          }
        });
    return wanted;
  }

  private void withdraw(Epoch leadership, List<Withdrawal> wanted, long asked) {
    List<Granted> granted =
        transactions.asLeader(leadership, statements -> statements.limits().withdraw(wanted));
    Map<OfTenant, Withdrawal> byKey = new HashMap<>();
    wanted.forEach(each -> byKey.put(each.key(), each));
    synchronized (this) {
      for (Granted each : granted) {
        Pocket pocket = pockets.get(each.key());
        Withdrawal wish = byKey.get(each.key());
        if (pocket != null && wish != null) {
          take(pocket, wish, each, asked);
        }
      }
    }
  }

  private void take(Pocket pocket, Withdrawal wish, Granted granted, long asked) {
    pocket.withdrawnAt = OptionalLong.of(asked);
    pocket.told = wish.held() + granted.tokens();
    pocket.free += granted.tokens();
    if (wish.wanted() > 0) {
      boolean lacks = pocket.free < pocket.last.tokens();
      pocket.dueAt =
          lacks
              ? OptionalLong.of(ticker.getAsLong() + pocket.last.pause(granted.left()).toNanos())
              : OptionalLong.empty();
    }
  }

  /** A dispatch of this task queue is about to be claimed. */
  synchronized void spend(TaskQueue queue, DispatchId dispatch) {
    RateLimit rate = queue.rateLimit();
    Pocket pocket = rate == null ? null : pockets.get(key(queue, rate));
    if (rate != null && pocket != null) {
      pocket.free--;
      pocket.inFlight++;
      flights.put(dispatch, key(queue, rate));
    }
  }

  /** These were not claimed. */
  synchronized void giveBack(Collection<DispatchId> dispatches) {
    dispatches.forEach(dispatch -> land(dispatch, 1));
  }

  /** These were claimed, or nobody knows: then their tokens are spent. */
  synchronized void decided(Collection<DispatchId> dispatches) {
    dispatches.forEach(dispatch -> land(dispatch, 0));
  }

  private void land(DispatchId dispatch, int back) {
    OfTenant key = flights.remove(dispatch);
    Pocket pocket = key == null ? null : pockets.get(key);
    if (pocket != null) {
      pocket.inFlight--;
      pocket.free += back;
      pocket.decidedAt = ticker.getAsLong();
    }
  }

  /** Time until a key that tasks wait for has its next token; empty when none waits. */
  synchronized Optional<Duration> nextDue() {
    long now = ticker.getAsLong();
    return pockets.values().stream()
        .filter(pocket -> !pocket.isDue(now))
        .map(pocket -> Duration.ofNanos(pocket.dueAt.orElse(now) - now))
        .min(Duration::compareTo);
  }
}
