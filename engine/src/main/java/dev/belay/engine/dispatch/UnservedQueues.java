package dev.belay.engine.dispatch;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.PlacementBackoff;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Refusal;
import dev.belay.domain.wait.Unserved;
import dev.belay.engine.deadletter.GiveUp;
import dev.belay.engine.dispatch.WaitingQueues.Chosen;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.KnownWorkers;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.statement.DeadLetterStatements.Hopeless;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.statement.UnservedStatements.Note;
import dev.belay.engine.statement.UnservedStatements.Noted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the task queues that nothing can serve, notes since when, and has their tasks given up. It
 * writes one row for a task queue that is lost, and none while it waits. One that can be served
 * again, or in which no task waits, starts anew. It looks at the task queues that the tick knows. A
 * loop of the leader, for one thread.
 */
public final class UnservedQueues {

  private static final Logger log = LoggerFactory.getLogger(UnservedQueues.class);

  /** Task queues that are noted at once, and at most. Others follow when some of them are done. */
  private static final int NOTED_MAX = 10_000;

  private static final int BATCH = 1_000;
  private static final Duration IDLE_EVERY = Duration.ofMinutes(1);

  private final Parts parts;
  private final ServedKinds served;
  private final PlacementBackoff backoff;
  private final Duration every;
  private final Supplier<Optional<Epoch>> leadership;
  private final LongSupplier ticker;

  /** What can be served as things are: only new task queues are looked at. */
  private final Set<QueueId> servable = new HashSet<>();

  private final Map<QueueId, Lost> lost = new HashMap<>();
  private volatile Map<DeadLetterReason, Long> counts = Map.of();
  private @Nullable Epoch readBy;
  private long idleAt;

  /** What it reads and writes. */
  public record Parts(
      WaitingQueues waiting,
      QueueCatalog queues,
      RoutingReads routing,
      KnownWorkers workers,
      Transactions transactions,
      GiveUp giveUp) {}

  /**
   * @param dueAt when its first tasks may be given up, by the ticker
   */
  private record Lost(Noted noted, Duration patience, long dueAt) {
    Hopeless hopeless() {
      return new Hopeless(
          noted.queue(),
          reason(noted.why().reason()),
          noted.why().detail(),
          noted.since(),
          patience);
    }

    Lost later(long at) {
      return new Lost(noted, patience, at);
    }
  }

  /**
   * @param every between two looks
   * @param leadership the epoch, while this replica leads with trust
   * @param ticker monotonic nanoseconds
   */
  public UnservedQueues(
      Parts parts,
      PlacementBackoff backoff,
      Duration every,
      Supplier<Optional<Epoch>> leadership,
      LongSupplier ticker) {
    this.parts = parts;
    this.served = new ServedKinds(parts.routing(), parts.workers());
    this.backoff = backoff;
    this.every = every;
    this.leadership = leadership;
    this.ticker = ticker;
  }

  /**
   * @return how long to sleep
   */
  public Duration runOnce() {
    Optional<Epoch> leads = leadership.get();
    if (leads.isEmpty()) {
      readBy = null;
      counts = Map.of();
      return every;
    }
    Epoch epoch = leads.get();
    try {
      look(epoch);
      counts =
          lost.values().stream()
              .collect(
                  Collectors.groupingBy(each -> each.hopeless().reason(), Collectors.counting()));
      return giveUp(epoch) ? Duration.ZERO : every;
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.value()).log("gives up no more tasks: deposed");
      return every;
    }
  }

  /** How many there are, by reason; none when this replica does not lead. Any thread. */
  public long count(DeadLetterReason reason) {
    return counts.getOrDefault(reason, 0L);
  }

  private void look(Epoch epoch) {
    if (!epoch.equals(readBy)) {
      lost.clear();
      servable.clear();
      parts
          .transactions()
          .asLeader(epoch, statements -> statements.unserved().read(NOTED_MAX))
          .forEach(this::noted);
      idleAt = ticker.getAsLong() + IDLE_EVERY.toNanos();
      readBy = epoch;
    }
    if (!lost.isEmpty() && ticker.getAsLong() - idleAt >= 0) {
      forgetIdle(epoch, parts.waiting().all());
    }
    List<Chosen> waiting = parts.waiting().all();
    if (waiting.isEmpty() && lost.isEmpty()) {
      return;
    }
    if (served.look()) {
      servable.clear();
    }
    compare(epoch, waiting);
  }

  /** Notes what is lost now, and forgets what can be served again. */
  private void compare(Epoch epoch, List<Chosen> waiting) {
    Set<QueueId> present = new HashSet<>(lost.keySet());
    waiting.forEach(each -> present.add(each.queue()));
    servable.retainAll(present);
    Set<QueueId> open = new HashSet<>(present);
    open.removeAll(servable);
    if (open.isEmpty()) {
      return;
    }
    Map<QueueId, TaskQueue> specs = parts.queues().specs(open);
    List<Note> notes = new ArrayList<>();
    List<QueueId> back = new ArrayList<>();
    specs.forEach(
        (queue, spec) -> {
          Optional<Unserved> why = served.whyNot(spec.placement());
          Lost before = lost.get(queue);
          if (why.isEmpty()) {
            servable.add(queue);
            if (before != null) {
              back.add(queue);
            }
          } else if ((before == null || !before.noted().why().equals(why.get()))
              && notes.size() < NOTED_MAX - lost.size()) {
            notes.add(new Note(queue, why.get()));
          }
        });
    if (!notes.isEmpty() || !back.isEmpty()) {
      write(epoch, notes, back);
    }
  }

  private void write(Epoch epoch, List<Note> notes, List<QueueId> back) {
    List<Noted> written =
        parts
            .transactions()
            .asLeader(
                epoch,
                statements -> {
                  statements.unserved().forget(back);
                  return statements.unserved().note(notes);
                });
    back.forEach(lost::remove);
    written.forEach(this::noted);
    written.forEach(
        each ->
            log.atWarn()
                .addKeyValue("queue", each.queue().value())
                .addKeyValue("reason", each.why().reason().word())
                .addKeyValue("detail", each.why().detail())
                .log("nothing can run the tasks of a task queue"));
  }

  private void noted(Noted noted) {
    Duration patience = backoff.patience(noted.queue().value());
    long due = ticker.getAsLong() + patience.minus(noted.age()).toNanos();
    lost.put(noted.queue(), new Lost(noted, patience, due));
  }

  private void forgetIdle(Epoch epoch, List<Chosen> waiting) {
    List<QueueId> idle =
        parts
            .transactions()
            .asLeader(
                epoch, statements -> statements.unserved().forgetIdle(List.copyOf(lost.keySet())));
    Set<QueueId> gone = new HashSet<>(idle);
    lost.keySet().removeAll(gone);
    waiting.stream()
        .filter(each -> gone.contains(each.queue()))
        .forEach(each -> parts.waiting().empty(each));
    idleAt = ticker.getAsLong() + IDLE_EVERY.toNanos();
  }

  /**
   * Looks at each of them as rarely as the backoff says at last, because it reads its tasks.
   *
   * @return whether there may be more
   */
  private boolean giveUp(Epoch epoch) {
    long now = ticker.getAsLong();
    List<Lost> due = lost.values().stream().filter(each -> now - each.dueAt() >= 0).toList();
    List<Hopeless> hopeless = due.stream().map(Lost::hopeless).toList();
    int given = parts.giveUp().runOnce(epoch, hopeless, served.version(), BATCH);
    if (given == BATCH) {
      return true;
    }
    due.forEach(each -> lost.put(each.noted().queue(), each.later(now + backoff.max().toNanos())));
    return false;
  }

  private static DeadLetterReason reason(Refusal refusal) {
    return switch (refusal) {
      case NO_POOL_MAPPING -> DeadLetterReason.NO_POOL_MAPPING;
      case NO_WORKERS -> DeadLetterReason.NO_WORKERS;
      case POOL_INACTIVE, POOL_SLOTS, POOL_OVERLOADED ->
          throw new IllegalStateException("a task waits for that, however long: " + refusal);
    };
  }
}
