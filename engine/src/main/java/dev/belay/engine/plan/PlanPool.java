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
 * Plans that take the value of a user's expressions, made apart from the leader's turn. Only a
 * memory of what is under way: the marks of such a run stay until its plan is written, so a leader
 * that ends, or a process that dies, leaves them to the next one. For the leader's thread.
 */
public final class PlanPool {

  /** Plans everything at once, on the thread of the leader: for tests and for the simulation. */
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
   * @param runs that are under way at one time: their tasks are in memory
   * @param waiting runs that are not read again until there is room for them
   * @param patience how long a turn waits for plans that it asked for
   * @param stuckAfter a plan that is being made for longer is given up
   */
  public record Limits(int runs, int waiting, Duration patience, Duration stuckAfter) {
    public static final Limits DEFAULT =
        new Limits(20, 1_000, Duration.ofMillis(20), Duration.ofSeconds(15));
  }

  /** A plan that was made, or why not. */
  record Made(StoredRun run, List<Long> marks, @Nullable Plan plan, @Nullable Throwable failure) {}

  /** Ends a plan that was being made for too long. */
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

    /** How long it was being made. A process that stood still in between was not at it. */
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
   * @param onDone told, by any thread, when a plan is made: the leader should look
   */
  public PlanPool(Background background, Limits limits, LongSupplier ticker, Runnable onDone) {
    this.background = background;
    this.limits = limits;
    this.ticker = ticker;
    this.onDone = onDone;
  }

  /** The runs whose marks need not be read now. */
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

  /** What happened to a run that was offered. */
  enum Offer {
    TAKEN,
    /** There is no room now; it is not read again before there is. */
    WAITS,
    /** Too many wait. */
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
    } catch (Throwable failed) { // also what no plan should throw: the leader waits for an answer
      item.failure = failed;
    }
    ended.add(item);
    onDone.run();
  }

  /**
   * What was made meanwhile, or is given up. What another leadership of this replica asked for is
   * forgotten: its marks may be gone, and its runs elsewhere.
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

  /** Its thread's place is free again, even if it never comes back. */
  private void drop(Item item) {
    item.dropped = true;
    item.ticket.abandon();
    underWay.remove(item.run.id());
  }

  private Stuck tooLong() {
    return new Stuck("planning took more than " + limits.stuckAfter().toSeconds() + "s");
  }

  /** Like {@link #collect}, after waiting a little for the plans that this turn asked for. */
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

  /** How many plans were given up because they did not end; any thread. */
  public long stuck() {
    return stuck.get();
  }
}
