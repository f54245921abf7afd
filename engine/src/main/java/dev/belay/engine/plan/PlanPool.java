package dev.belay.engine.plan;

import dev.belay.domain.id.RunId;
import dev.belay.domain.plan.Plan;
import dev.belay.engine.loop.Background;
import dev.belay.engine.loop.Background.Ticket;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanReads.StoredRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes plans that need the value of a user's expressions, outside the leader's turn. Keeps only
 * what is under way: the marks of a run stay until its plan is written, so when the leadership or
 * the process ends, the next leader finds them. For the leader's thread.
 */
public final class PlanPool {

  /** Plans at once on the leader's thread: for tests and the simulation. */
  public static PlanPool direct() {
    return new PlanPool(Background.DIRECT, Limits.DEFAULT, () -> 0, () -> {});
  }

  /** The leader looks more often than this while it runs. */
  private static final Duration BETWEEN_LOOKS_MAX = Duration.ofSeconds(2);

  private final Background background;
  private final Limits limits;
  private final LongSupplier ticker;
  private final Runnable onDone;
  private final Map<RunId, Item> underWay = new LinkedHashMap<>();
  private final Set<RunId> waiting = new LinkedHashSet<>();
  private final LinkedBlockingQueue<Item> ended = new LinkedBlockingQueue<>();
  private final Set<Item> asked = new HashSet<>();
  private final AtomicLong stuck = new AtomicLong();

  /**
   * @param runs under way at one time: their tasks are in memory
   * @param waiting runs that are not read again until there is room
   * @param patience how long a turn waits for the plans that it requested
   * @param stuckAfter a plan that takes longer is given up
   */
  public record Limits(int runs, int waiting, Duration patience, Duration stuckAfter) {
    public static final Limits DEFAULT =
        new Limits(20, 1_000, Duration.ofMillis(20), Duration.ofSeconds(15));
  }

  /** A finished plan, or its failure. */
  record Made(StoredRun run, List<Long> marks, @Nullable Plan plan, @Nullable Throwable failure) {}

  /** The failure of a plan that took too long. */
  static final class Stuck extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stuck(String message) {
      super(message, null, false, false);
    }
  }

  private static final class Item {
    final Epoch epoch;
    final StoredRun run;
    final List<Long> marks;
    volatile boolean dropped;
    volatile @Nullable Plan plan;
    volatile @Nullable Throwable failure;
    Ticket ticket = Ticket.DONE;
    private Duration ran = Duration.ZERO;
    private Duration counted = Duration.ZERO;

    Item(Epoch epoch, StoredRun run, List<Long> marks) {
      this.epoch = epoch;
      this.run = run;
      this.marks = marks;
    }

    /** Time spent on the plan, without the time in which the whole process stood still. */
    Duration look() {
      Duration now = ticket.ran();
      Duration since = now.minus(ran);
      counted = counted.plus(since.compareTo(BETWEEN_LOOKS_MAX) > 0 ? BETWEEN_LOOKS_MAX : since);
      ran = now;
      return counted;
    }

    Made made() {
      return new Made(run, marks, plan, failure);
    }
  }

  /**
   * @param onDone called on any thread when a plan is finished: the leader should look
   */
  public PlanPool(Background background, Limits limits, LongSupplier ticker, Runnable onDone) {
    this.background = background;
    this.limits = limits;
    this.ticker = ticker;
    this.onDone = onDone;
  }

  /** Runs whose marks need not be read now. */
  Set<RunId> busy() {
    asked.clear();
    Iterator<RunId> next = waiting.iterator();
    for (int room = limits.runs() - underWay.size(); room > 0 && next.hasNext(); room--) {
      next.next();
      next.remove();
    }
    Set<RunId> busy = new LinkedHashSet<>(underWay.keySet());
    busy.addAll(waiting);
    return busy;
  }

  enum Offer {
    TAKEN,
    /** No room; not read again until there is. */
    WAITS,
    /** Too many runs wait. */
    REFUSED
  }

  Offer offer(Epoch epoch, StoredRun run, List<Long> marks, Supplier<Plan> planning) {
    var item = new Item(epoch, run, List.copyOf(marks));
    if (underWay.size() < limits.runs()) {
      Optional<Ticket> taken = background.offer(() -> make(item, planning));
      if (taken.isPresent()) {
        item.ticket = taken.get();
        underWay.put(run.id(), item);
        asked.add(item);
        return Offer.TAKEN;
      }
    }
    return waiting.size() < limits.waiting() && waiting.add(run.id()) ? Offer.WAITS : Offer.REFUSED;
  }

  private void make(Item item, Supplier<Plan> planning) {
    if (item.dropped) {
      return;
    }
    try {
      item.plan = planning.get();
    } catch (Throwable failed) { // even errors: the leader waits for an answer
      item.failure = failed;
    }
    ended.add(item);
    onDone.run();
  }

  /**
   * Plans that finished or were given up. Drops the requests of an earlier leadership of this
   * replica, because another leader may have planned those runs since.
   */
  List<Made> collect(Epoch epoch) {
    for (Item item : List.copyOf(underWay.values())) {
      if (!item.epoch.equals(epoch)) {
        drop(item);
      }
    }
    List<Made> made = new ArrayList<>();
    for (Item item = ended.poll(); item != null; item = ended.poll()) {
      take(item, made);
    }
    for (Item item : List.copyOf(underWay.values())) {
      if (item.look().compareTo(limits.stuckAfter()) > 0) {
        stuck.incrementAndGet();
        drop(item);
        made.add(new Made(item.run, item.marks, null, tooLong()));
      }
    }
    return made;
  }

  /** Frees the place of its thread, even if that never returns. */
  private void drop(Item item) {
    item.dropped = true;
    item.ticket.abandon();
    underWay.remove(item.run.id());
  }

  private Stuck tooLong() {
    return new Stuck("planning took more than " + limits.stuckAfter().toSeconds() + "s");
  }

  /** Like {@link #collect}, after a short wait for the plans that this turn requested. */
  List<Made> collectSoon(Epoch epoch) {
    long until = ticker.getAsLong() + limits.patience().toNanos();
    List<Made> made = new ArrayList<>();
    try {
      for (long left = limits.patience().toNanos();
          left > 0 && !asked.isEmpty();
          left = until - ticker.getAsLong()) {
        Item item = ended.poll(left, TimeUnit.NANOSECONDS);
        if (item == null) {
          break;
        }
        take(item, made);
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    made.addAll(collect(epoch));
    return made;
  }

  private void take(Item item, List<Made> made) {
    asked.remove(item);
    if (!item.dropped && underWay.remove(item.run.id(), item)) {
      made.add(item.made());
    }
  }

  /** How many plans were given up because they did not end. From any thread. */
  public long stuck() {
    return stuck.get();
  }
}
