package dev.belay.engine.trigger;

import dev.belay.engine.loop.Background;
import dev.belay.engine.loop.Background.Ticket;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates users' expressions of triggers beside the loop that decides: one piece of work for each
 * trigger at a time, so one with costly expressions delays only itself. Keeps only what is under
 * way: the rows stay undecided until the loop has written them. For the loop's thread.
 *
 * @param <K> what a trigger is known by
 * @param <P> the rows that the work is about
 * @param <R> its result
 */
public final class TriggerPool<K, P, R> {

  private final Background background;
  private final Duration stuckAfter;
  private final Runnable onDone;
  private final Map<K, Item> underWay = new LinkedHashMap<>();
  private final LinkedBlockingQueue<Item> ended = new LinkedBlockingQueue<>();

  /**
   * @param stuckAfter work that takes longer is given up
   * @param onDone called on any thread when work is done: the loop should look
   */
  public TriggerPool(Background background, Duration stuckAfter, Runnable onDone) {
    this.background = background;
    this.stuckAfter = stuckAfter;
    this.onDone = onDone;
  }

  /** Evaluates at once on the caller's thread: for tests and the simulation. */
  public static <K, P, R> TriggerPool<K, P, R> direct() {
    return new TriggerPool<>(Background.DIRECT, Duration.ofMinutes(1), () -> {});
  }

  /**
   * Finished work.
   *
   * @param result null when it failed
   */
  record Done<P, R>(P rows, @Nullable R result, @Nullable Throwable failure) {}

  private final class Item {
    final Epoch epoch;
    final K trigger;
    final P rows;
    volatile boolean dropped;
    volatile @Nullable R result;
    volatile @Nullable Throwable failure;
    Ticket ticket = Ticket.DONE;

    Item(Epoch epoch, K trigger, P rows) {
      this.epoch = epoch;
      this.trigger = trigger;
      this.rows = rows;
    }
  }

  /** Triggers whose rows need not be read now. */
  Set<K> busy() {
    return Set.copyOf(underWay.keySet());
  }

  /** Returns whether there was room. */
  boolean offer(Epoch epoch, K trigger, P rows, Supplier<R> work) {
    var item = new Item(epoch, trigger, rows);
    Optional<Ticket> taken = background.offer(() -> make(item, work));
    if (taken.isEmpty()) {
      return false;
    }
    item.ticket = taken.get();
    underWay.put(trigger, item);
    return true;
  }

  private void make(Item item, Supplier<R> work) {
    if (item.dropped) {
      return;
    }
    try {
      item.result = work.get();
    } catch (Throwable failed) { // even errors: the loop waits for an answer
      item.failure = failed;
    }
    ended.add(item);
    onDone.run();
  }

  /** Work that is done or was given up. Drops what an earlier leadership requested. */
  List<Done<P, R>> collect(Epoch epoch) {
    for (Item item : List.copyOf(underWay.values())) {
      if (!item.epoch.equals(epoch)) {
        drop(item);
      }
    }
    List<Done<P, R>> done = new ArrayList<>();
    for (Item item = ended.poll(); item != null; item = ended.poll()) {
      if (underWay.remove(item.trigger, item)) {
        done.add(new Done<>(item.rows, item.result, item.failure));
      }
    }
    for (Item item : List.copyOf(underWay.values())) {
      if (item.ticket.ran().compareTo(stuckAfter) > 0) {
        drop(item);
        done.add(new Done<>(item.rows, null, new Stuck(stuckAfter)));
      }
    }
    return done;
  }

  private void drop(Item item) {
    item.dropped = true;
    item.ticket.abandon();
    underWay.remove(item.trigger);
  }

  /** The failure of work that took too long. */
  static final class Stuck extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stuck(Duration after) {
      super("it took more than " + after.toSeconds() + "s", null, false, false);
    }
  }
}
