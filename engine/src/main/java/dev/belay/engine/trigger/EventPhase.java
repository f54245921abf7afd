package dev.belay.engine.trigger;

import dev.belay.domain.id.TriggerVersionId;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Expressions.TooCostly;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerSpec.OnEvent;
import dev.belay.domain.spec.TriggerSpec.Window;
import dev.belay.domain.trigger.Causes;
import dev.belay.domain.trigger.EventExpressions;
import dev.belay.domain.trigger.SkipReason;
import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.EventKey;
import dev.belay.engine.port.EventReads;
import dev.belay.engine.port.EventReads.PendingEvent;
import dev.belay.engine.port.EventReads.Waiter;
import dev.belay.engine.port.TriggerMeters;
import dev.belay.engine.statement.EventStatements.Open;
import dev.belay.engine.trigger.EventStart.Passed;
import dev.belay.engine.trigger.TriggerPool.Done;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the runs that wait for events. A loop of the leader. Looks at some events of each trigger,
 * filters them beside the loop, and writes what became of them; {@link WindowPhase} ends windows.
 */
public final class EventPhase {

  private static final Logger log = LoggerFactory.getLogger(EventPhase.class);

  /** A hint wakes the loop sooner. */
  private static final Duration POLL = Duration.ofSeconds(2);

  /** The data of so many events is in memory. */
  private static final int READ_MAX = 200;

  private static final int READ_EACH = 50;

  /** All pieces of work together end after a few of these, so others have their turn. */
  private static final Duration SLICE = Duration.ofMillis(250);

  private static final Duration COUNT_EVERY = Duration.ofSeconds(5);
  private static final int COUNT_MAX = 1_000_000;

  private final EventReads reads;
  private final EventExpressions expressions;
  private final EventStart start;
  private final WindowPhase windows;
  private final TriggerPool<TriggerVersionId, List<PendingEvent>, List<Looked>> pool;
  private final Supplier<Optional<Epoch>> leadership;
  private final TriggerMeters meters;
  private final LongSupplier ticker;
  private @Nullable TriggerVersionId last;
  private long countedAt;
  private boolean counted;

  /** An event after its filter: it passed, or is decided. */
  public sealed interface Looked {
    record Over(EventKey key, Verdict verdict) implements Looked {}

    record Through(Passed event) implements Looked {}
  }

  /**
   * @param leadership the epoch, while this replica leads with trust
   * @param ticker monotonic nanoseconds
   */
  public EventPhase(
      EventReads reads,
      EventExpressions expressions,
      EventStart start,
      WindowPhase windows,
      TriggerPool<TriggerVersionId, List<PendingEvent>, List<Looked>> pool,
      Supplier<Optional<Epoch>> leadership,
      TriggerMeters meters,
      LongSupplier ticker) {
    this.reads = reads;
    this.expressions = expressions;
    this.start = start;
    this.windows = windows;
    this.pool = pool;
    this.leadership = leadership;
    this.meters = meters;
    this.ticker = ticker;
  }

  /**
   * @return how long to sleep
   */
  public Duration runOnce() {
    Optional<Epoch> epoch = leadership.get();
    if (epoch.isEmpty()) {
      leads(false);
      return POLL;
    }
    try {
      boolean wrote = look(epoch.get());
      Duration untilNext = windows.runOnce(epoch.get());
      count();
      return wrote ? Duration.ZERO : untilNext.compareTo(POLL) < 0 ? untilNext : POLL;
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.get().value()).log("fires no more: deposed");
      return POLL;
    }
  }

  private boolean look(Epoch epoch) {
    // Before the read: rows that are not written yet would be read and decided again.
    boolean wrote = write(epoch, collect(epoch));
    List<Looked> looked = new ArrayList<>();
    byVersion(read()).forEach((version, events) -> looked.addAll(look(epoch, version, events)));
    looked.addAll(collect(epoch));
    return write(epoch, looked) || wrote;
  }

  /** Each trigger has its turn, and then the first one again. */
  private List<PendingEvent> read() {
    List<PendingEvent> read = reads.readPending(READ_MAX, READ_EACH, last, pool.busy());
    if (read.size() < READ_MAX && last != null) {
      last = null;
      read = reads.readPending(READ_MAX, READ_EACH, null, pool.busy());
    }
    last = read.size() < READ_MAX ? null : read.getLast().waiter().version();
    return read;
  }

  private static Map<TriggerVersionId, List<PendingEvent>> byVersion(List<PendingEvent> events) {
    return events.stream()
        .collect(
            Collectors.groupingBy(
                event -> event.waiter().version(), LinkedHashMap::new, Collectors.toList()));
  }

  /** Decides at once what needs no expression; the pool evaluates the others. */
  private List<Looked> look(Epoch epoch, TriggerVersionId version, List<PendingEvent> events) {
    Waiter waiter = events.getFirst().waiter();
    OnEvent trigger;
    try {
      trigger = start.trigger(waiter);
    } catch (RuntimeException unreadable) {
      log.atWarn().addKeyValue("trigger", waiter.trigger()).setCause(unreadable).log("unreadable");
      String why = SkipReason.UNREADABLE.word(String.valueOf(unreadable.getMessage()));
      return events.stream().map(event -> over(event, new Verdict.Skipped(why))).toList();
    }
    List<Looked> looked = new ArrayList<>();
    List<PendingEvent> open = new ArrayList<>();
    for (PendingEvent event : events) {
      Causes.ofCause(waiter.target().state(), event.depth(), start.depthMax())
          .ifPresentOrElse(
              reason -> looked.add(over(event, new Verdict.Skipped(reason.word()))),
              () -> open.add(event));
    }
    if (open.isEmpty()) {
      return looked;
    }
    if (computes(trigger)) {
      // Many triggers with costly filters share the time that one would have.
      Duration share = SLICE.dividedBy(pool.busy().size() + 1L);
      pool.offer(epoch, version, open, () -> evaluate(trigger, open, share));
    } else {
      looked.addAll(evaluate(trigger, open, SLICE));
    }
    return looked;
  }

  private static Looked over(PendingEvent event, Verdict verdict) {
    return new Looked.Over(event.key(), verdict);
  }

  private static boolean computes(OnEvent trigger) {
    return trigger.when() != null || !EventStart.templates(trigger).isEmpty();
  }

  /** Leaves out what its slice of time does not suffice for. */
  private List<Looked> evaluate(OnEvent trigger, List<PendingEvent> events, Duration slice) {
    long until = ticker.getAsLong() + slice.toNanos();
    List<Looked> looked = new ArrayList<>();
    for (PendingEvent event : events) {
      looked.add(evaluate(trigger, event));
      if (ticker.getAsLong() - until > 0) {
        break;
      }
    }
    return looked;
  }

  private Looked evaluate(OnEvent trigger, PendingEvent event) {
    Template when = trigger.when();
    try {
      if (when != null && !expressions.holds(when, event.data())) {
        return over(event, new Verdict.Filtered());
      }
    } catch (ExpressionFailed failed) {
      return over(event, new Verdict.Failed(why(failed)));
    }
    return trigger.window() instanceof Window.None
        ? start
            .given(trigger, List.of(event.data()))
            .<Looked>map(
                given ->
                    new Looked.Through(
                        new Passed(
                            event.waiter(), event.key(), event.receivedAt(), event.depth(), given)),
                why -> over(event, new Verdict.Skipped(SkipReason.PARAMS.word(why))))
        : over(event, new Verdict.Waiting());
  }

  static String why(ExpressionFailed failed) {
    return failed instanceof TooCostly
        ? "expression_too_costly: " + failed.getMessage()
        : String.valueOf(failed.getMessage());
  }

  private List<Looked> collect(Epoch epoch) {
    List<Looked> looked = new ArrayList<>();
    for (Done<List<PendingEvent>, List<Looked>> done : pool.collect(epoch)) {
      List<Looked> result = done.result();
      if (result != null) {
        looked.addAll(result);
      } else {
        // The first one did not end; the others come again.
        String why = "expression_too_costly: " + done.failure();
        looked.add(over(done.rows().getFirst(), new Verdict.Failed(why)));
      }
    }
    return looked;
  }

  /** Returns whether something was written. */
  private boolean write(Epoch epoch, List<Looked> looked) {
    List<Choice<EventKey>> choices = new ArrayList<>();
    List<Passed> passed = new ArrayList<>();
    for (Looked one : looked) {
      switch (one) {
        case Looked.Over(var key, var verdict) -> choices.add(Choice.of(key, verdict));
        case Looked.Through(var event) -> passed.add(event);
      }
    }
    choices.addAll(start.choose(passed));
    if (choices.isEmpty()) {
      return false;
    }
    start.write(epoch, choices, Open.PENDING);
    return true;
  }

  private void count() {
    long now = ticker.getAsLong();
    if (!counted || now - countedAt >= COUNT_EVERY.toNanos()) {
      counted = true;
      countedAt = now;
      var undecided = reads.countUndecided(COUNT_MAX);
      meters.undecided(undecided.chains(), undecided.events());
    }
  }

  private void leads(boolean leads) {
    if (counted && !leads) {
      meters.undecided(0, 0);
    }
    counted = leads;
  }
}
