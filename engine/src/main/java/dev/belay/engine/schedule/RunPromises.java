package dev.belay.engine.schedule;

import dev.belay.domain.id.RunId;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.PromiseReads;
import dev.belay.engine.port.PromiseReads.DueCheck;
import dev.belay.engine.port.PromiseReads.Found;
import dev.belay.engine.port.PromiseReads.Late;
import dev.belay.engine.port.PromiseReads.Next;
import dev.belay.engine.port.PromiseReads.OverdueRun;
import dev.belay.engine.port.PromiseReads.Window;
import dev.belay.engine.statement.PromiseStatements.Check;
import dev.belay.engine.statement.PromiseStatements.Overdue;
import dev.belay.engine.statement.PromiseStatements.TimedOut;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the promises of runs: has runs end that run for too long, and tells people about runs that
 * are overdue or missing and triggers that fire late. Each promise is decided by one fenced
 * statement that compares what was read, so a new leader repeats nothing and forgets nothing.
 */
public final class RunPromises {

  private static final Logger log = LoggerFactory.getLogger(RunPromises.class);

  /** A run that ended in time may commit a little later. */
  static final Duration SETTLE = Duration.ofSeconds(2);

  /** Between two looks at late triggers. */
  private static final Duration LATE_EVERY = Duration.ofSeconds(10);

  /** A row of the ledger may commit this long after its time. */
  private static final Duration LATE_OVERLAP = Duration.ofSeconds(5);

  /** What is due but held by others is not tried more often than this. */
  private static final Duration PAUSE_MIN = Duration.ofMillis(50);

  private final PromiseReads reads;
  private final Transactions transactions;
  private final PromiseSettings settings;
  private final Supplier<Optional<Epoch>> leadership;
  private final Hints hints;
  private final Meters meters;
  private final LongSupplier ticker;
  private @Nullable Instant lateUpTo;
  private long lateLookedAt;

  /**
   * @param leadership the epoch, while this replica leads with trust
   * @param ticker monotonic nanoseconds
   */
  public RunPromises(
      PromiseReads reads,
      Transactions transactions,
      PromiseSettings settings,
      Supplier<Optional<Epoch>> leadership,
      Hints hints,
      Meters meters,
      LongSupplier ticker) {
    this.reads = reads;
    this.transactions = transactions;
    this.settings = settings;
    this.leadership = leadership;
    this.hints = hints;
    this.meters = meters;
    this.ticker = ticker;
  }

  /**
   * @return how long to sleep
   */
  public Duration runOnce() {
    Optional<Epoch> leads = leadership.get();
    if (leads.isEmpty()) {
      lateUpTo = null;
      return settings.poll();
    }
    Epoch epoch = leads.get();
    Next next = reads.readNext();
    try {
      boolean more = isDue(next.timeout()) && isolated("timeout", () -> timeOut(epoch));
      more |= isDue(next.deadline()) && isolated("deadline", () -> alertOverdue(epoch));
      more |= isDue(later(next.check())) && isolated("expect_by", () -> check(epoch));
      isolated("schedule_late", () -> alertLate(epoch));
      return more ? Duration.ZERO : pause(next);
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.value()).log("keeps no promises any more: deposed");
      return settings.poll();
    }
  }

  private static boolean isDue(@Nullable Duration until) {
    return until != null && !until.isPositive();
  }

  private static @Nullable Duration later(@Nullable Duration check) {
    return check == null ? null : check.plus(SETTLE);
  }

  private Duration pause(Next next) {
    Duration first =
        Stream.of(next.timeout(), next.deadline(), later(next.check()))
            .flatMap(Stream::ofNullable)
            .min(Duration::compareTo)
            .orElse(settings.poll());
    if (first.compareTo(PAUSE_MIN) < 0) {
      return PAUSE_MIN;
    }
    return first.compareTo(settings.poll()) < 0 ? first : settings.poll();
  }

  /** Keeps a failure from stopping the other promises. */
  private static boolean isolated(String promise, BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException failed) {
      log.atWarn()
          .addKeyValue("promise", promise)
          .setCause(failed)
          .log("a promise was not looked at, others go on");
      return false;
    }
  }

  /** Returns whether there may be more; so do the others. */
  private boolean timeOut(Epoch epoch) {
    List<TimedOut> timedOut =
        transactions.asLeader(epoch, statements -> statements.promises().timeOut(settings.batch()));
    if (timedOut.isEmpty()) {
      return false;
    }
    hints.runChanged();
    meters.promiseBroken("timeout", timedOut.size());
    timedOut.forEach(
        run ->
            log.atWarn()
                .addKeyValue("run", run.run())
                .addKeyValue("late_ms", run.late().toMillis())
                .log("run timed out"));
    return timedOut.size() == settings.batch();
  }

  private boolean alertOverdue(Epoch epoch) {
    List<OverdueRun> found = reads.readOverdue(settings.batch());
    if (found.isEmpty()) {
      return false;
    }
    List<Overdue> overdue =
        found.stream()
            .map(run -> new Overdue(run.id(), run.generation(), PromiseTexts.overdue(run)))
            .toList();
    Set<RunId> alerted =
        transactions.asLeader(epoch, statements -> statements.promises().alertOverdue(overdue));
    if (!alerted.isEmpty()) {
      meters.alerted("run_deadline", alerted.size());
      meters.promiseBroken("deadline", alerted.size());
    }
    return found.size() == settings.batch();
  }

  private boolean check(Epoch epoch) {
    List<DueCheck> due = reads.readChecks(SETTLE, settings.batch());
    if (due.isEmpty()) {
      return false;
    }
    Map<UUID, Found> found =
        reads.readFound(
            due.stream()
                .map(
                    one ->
                        new Window(
                            one.version(),
                            one.workflow(),
                            one.expectBy().previous(one.at()),
                            one.at()))
                .toList());
    List<Check> checks =
        due.stream()
            .map(one -> decide(one, found.getOrDefault(one.version(), new Found(null, null))))
            .toList();
    Set<UUID> written =
        transactions.asLeader(epoch, statements -> statements.promises().check(checks));
    int missing =
        (int)
            checks.stream()
                .filter(check -> check.alert() != null && written.contains(check.version()))
                .count();
    if (missing > 0) {
      meters.alerted("run_missing", missing);
      meters.promiseBroken("expect_by", missing);
    }
    return due.size() == settings.batch();
  }

  private static Check decide(DueCheck due, Found found) {
    Instant next = due.expectBy().next(due.at());
    Instant until = due.until();
    @Nullable Instant cursor = until != null && next.isAfter(until) ? null : next;
    RunId succeeded = found.succeeded();
    if (succeeded != null) {
      return new Check(due.version(), due.at(), until, cursor, "met: " + succeeded, null);
    }
    return due.paused()
        ? new Check(due.version(), due.at(), until, cursor, "paused", null)
        : new Check(
            due.version(),
            due.at(),
            until,
            cursor,
            "missing",
            PromiseTexts.missing(due, found.newest()));
  }

  private boolean alertLate(Epoch epoch) {
    long now = ticker.getAsLong();
    if (lateUpTo != null && now - lateLookedAt < LATE_EVERY.toNanos()) {
      return false;
    }
    Late late = reads.readLate(lateUpTo, settings.schedulePromise());
    lateLookedAt = now;
    lateUpTo = late.now().minus(LATE_OVERLAP);
    late.worst()
        .ifPresent(
            worst -> {
              String detail = PromiseTexts.late(late.count(), worst, settings.schedulePromise());
              if (transactions.asLeader(
                  epoch, statements -> statements.promises().alertLate(detail))) {
                meters.alerted("schedule_late", 1);
              }
            });
    return false;
  }
}
