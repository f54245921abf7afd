package dev.belay.engine.schedule;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.schedule.DueInstants;
import dev.belay.domain.schedule.DueInstants.Decided;
import dev.belay.domain.schedule.DueInstants.Decision;
import dev.belay.domain.schedule.DueInstants.Outcome;
import dev.belay.domain.schedule.DueInstants.Subject;
import dev.belay.domain.spec.SpecCache;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ScheduleReads;
import dev.belay.engine.port.ScheduleReads.Due;
import dev.belay.engine.port.ScheduleReads.NextDue;
import dev.belay.engine.schedule.Fired.Instance;
import dev.belay.engine.schedule.RunParams.Answer;
import dev.belay.engine.schedule.RunParams.Facts;
import dev.belay.engine.schedule.RunParams.Request;
import dev.belay.engine.statement.ScheduleStatements.Cursor;
import dev.belay.engine.statement.ScheduleStatements.Seen;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires timed triggers. Reads the versions that are due, decides their instants, and writes rows,
 * runs and cursors together. For one loop.
 */
public final class SchedulePhase {

  private static final Logger log = LoggerFactory.getLogger(SchedulePhase.class);

  /** Until a trigger is tried again whose parameters could not be computed now. */
  private static final Duration BUSY_WAIT = Duration.ofMillis(50);

  /** When a trigger was due and then was not, because somebody changed it. */
  private static final Duration EMPTY_WAIT = Duration.ofMillis(50);

  /** Batches of one step; the loop then looks again at once. */
  private static final int ROUNDS_MAX = 4;

  /** Fewer triggers are written by one transaction: a second one would cost more than it saves. */
  private static final int SIDE_BY_SIDE_MIN = 100;

  private static final int CACHED_MAX = 20_000;
  private static final long CACHED_CHARS_MAX = 20_000_000;

  private final ScheduleReads reads;
  private final FireWriter writer;
  private final Meters meters;
  private final RunParams params;
  private final Function<String, TriggerSpec.Timed> decode;
  private final SpecCache<UUID, TriggerSpec.Timed> decoded =
      new SpecCache<>(CACHED_MAX, CACHED_CHARS_MAX);
  private final Ids ids;
  private final Executor beside;
  private final Supplier<Optional<Epoch>> leads;
  private final ScheduleSettings settings;
  private final FailureLog trouble = new FailureLog(log, "triggers are not read");

  /**
   * @param decode the trigger of a stored spec
   * @param beside runs the second of two transactions
   */
  public record Parts(
      ScheduleReads reads,
      Transactions transactions,
      RunParams params,
      Function<String, TriggerSpec.Timed> decode,
      Ids ids,
      Hints hints,
      Meters meters,
      Executor beside) {}

  public SchedulePhase(Parts parts, Supplier<Optional<Epoch>> leads, ScheduleSettings settings) {
    this.reads = parts.reads();
    this.writer = new FireWriter(parts.transactions(), parts.hints(), parts.meters());
    this.meters = parts.meters();
    this.params = parts.params();
    this.decode = parts.decode();
    this.ids = parts.ids();
    this.beside = parts.beside();
    this.leads = leads;
    this.settings = settings;
  }

  /** Decides what is due; returns how long the loop may sleep. */
  public Duration runOnce() {
    Optional<Epoch> epoch = leads.get();
    if (epoch.isEmpty()) {
      meters.nextDue(null);
      return settings.poll();
    }
    try {
      Duration sleep = rounds(epoch.get());
      trouble.over();
      return sleep;
    } catch (Deposed deposed) {
      return settings.poll();
    } catch (RuntimeException failed) {
      trouble.met(failed, event -> event.addKeyValue("epoch", epoch.get().value()));
      return settings.poll();
    }
  }

  /** The tick plans the runs after the last round: before, it would make later runs late. */
  private Duration rounds(Epoch epoch) {
    try {
      for (int round = 0; round < ROUNDS_MAX; round++) {
        Optional<NextDue> first = reads.readNextDue();
        meters.nextDue(first.map(NextDue::at).orElse(null));
        Duration next = first.map(NextDue::in).orElse(settings.poll());
        if (next.isPositive()) {
          return next.compareTo(settings.poll()) < 0 ? next : settings.poll();
        }
        List<Due> due = reads.readDue(settings.batch());
        if (due.isEmpty()) {
          return EMPTY_WAIT;
        }
        fire(epoch, due);
      }
      return Duration.ZERO;
    } finally {
      writer.hintRuns();
    }
  }

  /** Decided, but without its runs. */
  private record Draft(Due due, TriggerSpec.Timed spec, Decided decided, List<Decision> replayed) {
    Stream<Decision> firing() {
      return Stream.concat(replayed.stream(), decided.decisions().stream())
          .filter(decision -> decision.outcome() == Outcome.FIRED);
    }
  }

  private void fire(Epoch epoch, List<Due> due) {
    List<Fired> all = new ArrayList<>();
    List<Draft> drafts = new ArrayList<>();
    Map<String, DayCalendar> calendars = new HashMap<>();
    boolean calendarsRead = false;
    for (Due one : due) {
      try {
        TriggerSpec.Timed spec = spec(one);
        if (spec.timing().calendar() != null && !calendarsRead) {
          calendars.putAll(reads.readCalendars());
          calendarsRead = true;
        }
        drafts.add(decide(one, spec, calendars));
      } catch (RuntimeException | StackOverflowError undecided) {
        log.atError()
            .addKeyValue("workflow", one.workflow().name())
            .addKeyValue("trigger", one.trigger())
            .setCause(undecided)
            .log("trigger cannot be decided");
        all.add(later(one, settings.retry(), "it cannot be decided: " + undecided.getMessage()));
      }
    }
    all.addAll(withRuns(drafts));
    write(epoch, all);
  }

  /** The spec of a version never changes. */
  private TriggerSpec.Timed spec(Due due) {
    TriggerSpec.Timed known = decoded.get(due.version());
    if (known == null) {
      known = decode.apply(due.spec());
      decoded.put(due.version(), known, due.spec().length());
    }
    return known;
  }

  /**
   * Writes many triggers by two transactions side by side. Those of a workflow stay together, so
   * the two share no row.
   */
  private void write(Epoch epoch, List<Fired> all) {
    if (all.size() < SIDE_BY_SIDE_MIN) {
      writeTogether(epoch, all);
      return;
    }
    List<Fired> here = new ArrayList<>();
    List<Fired> there = new ArrayList<>();
    for (Fired one : all) {
      (one.due().workflow().hashCode() % 2 == 0 ? here : there).add(one);
    }
    var other = new FutureTask<@Nullable Void>(() -> writeTogether(epoch, there), null);
    beside.execute(other);
    try {
      writeTogether(epoch, here);
    } finally {
      await(other);
    }
  }

  private static void await(FutureTask<?> other) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          other.get();
          return;
        } catch (InterruptedException stopping) {
          interrupted = true;
        } catch (ExecutionException failed) {
          if (failed.getCause() instanceof RuntimeException cause) {
            throw cause;
          }
          throw new IllegalStateException(failed.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The others must not wait for one that the store refuses. */
  private void writeTogether(Epoch epoch, List<Fired> all) {
    if (all.isEmpty()) {
      return;
    }
    try {
      writer.write(epoch, all);
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException together) {
      if (writer.isAway(together)) {
        throw together;
      }
      log.atWarn()
          .addKeyValue("triggers", all.size())
          .setCause(together)
          .log("triggers could not be written together, writing them one by one");
      all.forEach(one -> writeAlone(epoch, one));
    }
  }

  private void writeAlone(Epoch epoch, Fired one) {
    try {
      writer.write(epoch, List.of(one));
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException alone) {
      if (writer.isAway(alone)) {
        throw alone;
      }
      log.atError()
          .addKeyValue("workflow", one.due().workflow().name())
          .addKeyValue("trigger", one.due().trigger())
          .setCause(alone)
          .log("trigger could not be written");
      writer.write(
          epoch,
          List.of(
              later(
                  one.due(), settings.retry(), "it could not be written: " + alone.getMessage())));
    }
  }

  /** Leaves its instants as they are and looks at it later. */
  private static Fired later(Due due, Duration wait, @Nullable String trouble) {
    return new Fired(
        due,
        new Cursor(due.version(), seen(due), due.next(), due.now().plus(wait), due.replayFrom()),
        List.of(),
        List.of(),
        trouble);
  }

  private Draft decide(Due due, TriggerSpec.Timed spec, Map<String, DayCalendar> calendars) {
    String named = spec.timing().calendar();
    DayCalendar calendar = named == null ? null : calendars.get(named);
    if (named != null && calendar == null) {
      if (due.until() == null) {
        throw new IllegalStateException("there is no calendar " + named);
      }
      // A calendar may go with the last version that names it. What is left of that does not fire.
      calendar = DayCalendar.everyDay(named);
    }
    var subject =
        new Subject(
            due.trigger().toString(),
            spec.timing(),
            spec.missed(),
            due.until(),
            calendar,
            pausedFor(due));
    Instant next = due.next();
    Decided decided =
        next == null
            ? new Decided(List.of(), null, null)
            : DueInstants.decide(subject, next, due.now(), settings.instants());
    return new Draft(due, spec, decided, replayed(due, subject));
  }

  private static Seen seen(Due due) {
    return new Seen(due.next(), due.until(), due.paused(), due.replayFrom());
  }

  private static @Nullable String pausedFor(Due due) {
    if (due.paused()) {
      return DueInstants.TRIGGER_PAUSED;
    }
    return due.state().paused() ? DueInstants.PAUSED : null;
  }

  /** The version that replaced one that ended has its replay. */
  private List<Decision> replayed(Due due, Subject subject) {
    Instant from = due.replayFrom();
    if (from == null || due.until() != null || subject.pausedFor() != null) {
      return List.of();
    }
    int max = Math.max(settings.instants(), subject.missed().max());
    return DueInstants.replay(subject, reads.readPaused(due.trigger(), from, max), due.now());
  }

  /** Computes the parameters of all runs together. */
  private List<Fired> withRuns(List<Draft> drafts) {
    List<Request> requests = new ArrayList<>();
    for (Draft draft : drafts) {
      draft.firing().forEach(decision -> requests.add(request(draft, decision)));
    }
    List<Answer> answers = requests.isEmpty() ? List.of() : params.resolve(requests);
    List<Fired> all = new ArrayList<>();
    int from = 0;
    for (Draft draft : drafts) {
      int to = from + (int) draft.firing().count();
      all.add(withRuns(draft, requests.subList(from, to), answers.subList(from, to)));
      from = to;
    }
    return all;
  }

  private Request request(Draft draft, Decision decision) {
    Due due = draft.due();
    return new Request(
        due.state().latest(),
        draft.spec().params(),
        new Facts(
            new RunId(ids.next()),
            due.workflow().tenant(),
            due.workflow().name(),
            decision.at(),
            due.now()));
  }

  private Fired withRuns(Draft draft, List<Request> requests, List<Answer> answers) {
    Due due = draft.due();
    if (answers.stream().anyMatch(Answer.Busy.class::isInstance)) {
      return later(due, BUSY_WAIT, null);
    }
    List<Instance> runs = new ArrayList<>();
    List<Decision> firing = draft.firing().toList();
    for (int i = 0; i < requests.size(); i++) {
      runs.add(instance(firing.get(i), requests.get(i).facts().run(), answers.get(i)));
    }
    int replayed = (int) draft.replayed().stream().filter(SchedulePhase::fires).count();
    return new Fired(
        due,
        new Cursor(
            due.version(),
            seen(due),
            draft.decided().next(),
            draft.decided().nextDue(),
            pausedFor(due) == null ? null : due.replayFrom()),
        filled(draft.decided().decisions(), runs.subList(replayed, runs.size())),
        filled(draft.replayed(), runs.subList(0, replayed)),
        answers.stream()
            .flatMap(answer -> answer instanceof Answer.Refused(var why) ? Stream.of(why) : null)
            .findFirst()
            .map(why -> "its parameters do not fit: " + why)
            .orElse(null));
  }

  private static boolean fires(Decision decision) {
    return decision.outcome() == Outcome.FIRED;
  }

  /** An instant whose parameters do not fit is skipped. */
  private static Instance instance(Decision decision, RunId run, Answer answer) {
    return switch (answer) {
      case Answer.Resolved(var json) -> new Instance(decision, run, json);
      case Answer.Refused(var why) -> Instance.without(Fired.skipped(decision, "params: " + why));
      case Answer.Busy _ -> throw new IllegalStateException("busy");
    };
  }

  /** The decisions in their order, those that fire with their runs. */
  private static List<Instance> filled(List<Decision> decisions, List<Instance> runs) {
    Iterator<Instance> next = runs.iterator();
    return decisions.stream()
        .map(decision -> fires(decision) ? next.next() : Instance.without(decision))
        .toList();
  }
}
