package dev.belay.engine.dispatch;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.dispatch.WaitingQueues.Chosen;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.LimitStatements.CancelledNew;
import dev.belay.engine.statement.LimitStatements.FullKey;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.SteerStatements.LockedTask;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.steer.Termination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that wait for a full concurrency key and do not want to wait: {@code cancel_new} ends them,
 * {@code cancel_running} asks the oldest holders of the key to end. Both follow from the rows of
 * the holders, so the next leader goes on where this one stopped, and nobody is asked twice. For
 * the tick's thread.
 */
public final class Conflicts {

  private static final Logger log = LoggerFactory.getLogger(Conflicts.class);

  private static final String ACTOR = "dispatcher";

  /** Tasks that one round ends, or asks to end. */
  private static final int TASKS_MAX = 500;

  /** Between two rounds while more is to do. */
  private static final Duration SOON = Duration.ofMillis(20);

  /** A task queue whose holders were asked is not looked at again sooner, unless a task is new. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private static final Abort YIELD = Abort.of(AbortReason.CONCURRENCY_KEY, ACTOR);

  private final Parts parts;
  private final LongSupplier ticker;

  /** Task queues that wait, and whose tasks do not want to. */
  private final Map<QueueId, TaskQueue> ruled = new HashMap<>();

  private final Map<QueueId, Looked> looked = new HashMap<>();
  private final FailureLog trouble =
      new FailureLog(log, "conflict left alone, the next round tries");
  private boolean moreToDo;

  /** What it reads, writes and tells. */
  public record Parts(
      Transactions transactions,
      WaitingQueues waiting,
      Roster roster,
      Hints hints,
      Meters meters) {}

  /**
   * @param hint the last one that named the task queue then
   */
  private record Looked(Epoch by, long hint, long at) {}

  /** A task queue that waits for its key. */
  private record Conflict(Chosen chosen, OfTenant key, Concurrency rule) {}

  /**
   * @param ticker monotonic nanoseconds
   */
  public Conflicts(Parts parts, LongSupplier ticker) {
    this.parts = parts;
    this.ticker = ticker;
  }

  /** Time until the next round has something to do here; empty when it has nothing. */
  Optional<Duration> again() {
    return moreToDo ? Optional.of(SOON) : Optional.empty();
  }

  /** Call with a roster that was read. */
  void runOnce(Epoch epoch) {
    moreToDo = false;
    List<Conflict> conflicts = conflicts();
    Set<QueueId> ids = new HashSet<>();
    conflicts.forEach(conflict -> ids.add(conflict.chosen().queue()));
    looked.keySet().retainAll(ids);
    if (conflicts.isEmpty()) {
      return;
    }
    try {
      resolve(epoch, conflicts);
      trouble.over();
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException failed) {
      trouble.met(failed, event -> event.addKeyValue("queues", conflicts.size()));
    }
  }

  /** Tasks may wait in these. */
  void learn(Map<QueueId, TaskQueue> specs) {
    specs.forEach(
        (id, spec) -> {
          Concurrency rule = spec.concurrency();
          if (rule != null && rule.onConflict() != OnConflict.QUEUE) {
            ruled.put(id, spec);
          }
        });
  }

  private List<Conflict> conflicts() {
    List<Conflict> conflicts = new ArrayList<>();
    for (Map.Entry<QueueId, TaskQueue> entry : List.copyOf(ruled.entrySet())) {
      Chosen chosen = parts.waiting().find(entry.getKey());
      TaskQueue spec = entry.getValue();
      Concurrency rule = spec.concurrency();
      if (chosen == null || rule == null) {
        ruled.remove(entry.getKey());
      } else {
        conflicts.add(new Conflict(chosen, new OfTenant(spec.tenant(), rule.key()), rule));
      }
    }
    return conflicts;
  }

  private void resolve(Epoch epoch, List<Conflict> conflicts) {
    Set<OfTenant> keys = new HashSet<>();
    conflicts.forEach(conflict -> keys.add(conflict.key()));
    Map<OfTenant, KeyHolders> holders = parts.roster().holders(keys);
    List<Conflict> cancelNew = new ArrayList<>();
    List<Conflict> cancelRunning = new ArrayList<>();
    for (Conflict conflict : conflicts) {
      KeyHolders held = holders.getOrDefault(conflict.key(), KeyHolders.NONE);
      if (held.decided() >= conflict.rule().limit()) {
        (conflict.rule().onConflict() == OnConflict.CANCEL_NEW ? cancelNew : cancelRunning)
            .add(conflict);
      } else if (held.decided() + held.underWay() >= conflict.rule().limit()) {
        moreToDo = true; // The claims decide.
      }
    }
    if (!cancelNew.isEmpty()) {
      cancelNew(epoch, cancelNew, holders);
    }
    cancelRunning.removeIf(conflict -> isLooked(epoch, conflict.chosen()));
    if (!cancelRunning.isEmpty()) {
      cancelRunning(epoch, cancelRunning, holders);
    }
  }

  private static List<FullKey> full(List<Conflict> conflicts, Map<OfTenant, KeyHolders> holders) {
    return conflicts.stream()
        .map(
            conflict ->
                new FullKey(
                    conflict.chosen().queue(),
                    conflict.rule().limit(),
                    holders.getOrDefault(conflict.key(), KeyHolders.NONE).queues()))
        .toList();
  }

  private void cancelNew(Epoch epoch, List<Conflict> conflicts, Map<OfTenant, KeyHolders> holders) {
    List<FullKey> keys = full(conflicts, holders);
    CancelledNew done =
        parts
            .transactions()
            .asLeader(
                epoch,
                statements ->
                    statements
                        .limits()
                        .cancelNew(keys, TASKS_MAX, AbortReason.CONCURRENCY_KEY.word(), ACTOR));
    int count = done.tasks().size();
    if (count > 0) {
      parts.meters().happened(Effects.ended(Map.of(TaskState.CANCELLED, count), List.of()));
      if (done.tasks().stream().anyMatch(task -> task.run() != null)) {
        parts.hints().runChanged();
      }
    }
    boolean all = count < TASKS_MAX;
    moreToDo |= !all;
    for (Conflict conflict : conflicts) {
      if (!done.full().contains(conflict.chosen().queue())) {
        parts.roster().distrust(); // A holder ended elsewhere.
        moreToDo = true;
      } else if (all) {
        parts.waiting().empty(conflict.chosen());
      }
    }
  }

  private boolean isLooked(Epoch epoch, Chosen chosen) {
    Looked last = looked.get(chosen.queue());
    return last != null
        && last.by().equals(epoch)
        && last.hint() == chosen.hint()
        && ticker.getAsLong() - last.at() < LOOK_EVERY.toNanos();
  }

  private void cancelRunning(
      Epoch epoch, List<Conflict> conflicts, Map<OfTenant, KeyHolders> holders) {
    long now = ticker.getAsLong();
    List<FullKey> keys = full(conflicts, holders);
    Set<WorkerId> toTell =
        parts.transactions().asLeader(epoch, statements -> askOldest(statements, keys));
    toTell.forEach(parts.hints()::mailbox);
    conflicts.forEach(
        conflict ->
            looked.put(
                conflict.chosen().queue(), new Looked(epoch, conflict.chosen().hint(), now)));
  }

  /**
   * Asks the oldest holders of these keys to end, in the caller's transaction.
   *
   * @return the workers to tell
   */
  public static Set<WorkerId> askOldest(Statements statements, List<FullKey> keys) {
    return ask(statements, statements.limits().findOldestHolders(keys, TASKS_MAX));
  }

  /** Under the lock of each task: it may have ended, and run again, since it was found. */
  public static Set<WorkerId> ask(Statements statements, List<AttemptKey> holders) {
    Set<WorkerId> toTell = new HashSet<>();
    for (AttemptKey holder : holders) {
      Optional<LockedTask> locked = statements.steer().lockTask(holder.task());
      if (locked.isPresent()
          && locked.get().state().isActive()
          && holder.dispatch().equals(locked.get().dispatch())) {
        toTell.addAll(
            Termination.terminate(statements, holder.task(), locked.get(), YIELD).toTell());
      }
    }
    return toTell;
  }
}
