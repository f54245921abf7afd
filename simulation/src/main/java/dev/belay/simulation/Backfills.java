package dev.belay.simulation;

import dev.belay.domain.backfill.BackfillInstants;
import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.RunParams.Answer;
import dev.belay.engine.statement.BackfillStatements.NewBackfill;
import dev.belay.engine.statement.BackfillStatements.Rules;
import dev.belay.engine.statement.BackfillStatements.Schedule;
import dev.belay.engine.steer.BackfillSteer;
import dev.belay.simulation.Coverage.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Backfills that clients start, pause, resume and cancel, and what must become of them. */
final class Backfills {
  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final int BACKFILLS_MAX = 2;
  private static final int DAYS_MAX = 5;
  private static final int CONCURRENCY_MAX = 3;
  private static final double PAUSES = 0.3;
  private static final double CANCELS = 0.3;
  private static final double CANCELS_AT_A_CHANGE = 0.12;
  private static final Duration AT_ONCE = Duration.ofMillis(10);
  private static final double CANCELS_RUNS = 0.2;
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final double LATER = 0.5;
  private static final Duration LATE_MAX = Duration.ofSeconds(60);

  /** Short ones, with and without a limit. */
  private static final List<WorkflowSpec> GRAPHS =
      Graphs.ALL.stream()
          .filter(graph -> List.of("chain", "branch", "skips").contains(graph.name()))
          .distinct()
          .toList();

  private final World world;
  private final Observed observed;
  private final Steers.Asking asking;
  private final Map<BackfillId, WorkflowSpec> started = new LinkedHashMap<>();

  /** The newest change of a run when the cancel was answered. */
  private final Map<BackfillId, Long> cancelledAt = new HashMap<>();

  private long lastChange;

  Backfills(World world, Observed observed, Steers.Asking asking) {
    this.world = world;
    this.observed = observed;
    this.asking = asking;
  }

  void begin(Duration within) {
    for (int i = world.chance.between(0, BACKFILLS_MAX); i > 0; i--) {
      start(world.chance.upTo(within));
    }
  }

  private void start(Duration delay) {
    var spec = world.chance.oneOf(GRAPHS);
    var id = new BackfillId(world.ids.next());
    int days = world.chance.between(1, DAYS_MAX);
    boolean forward = world.chance.happens(0.5);
    var schedule = new Schedule(null, "{}", null, FROM, day(days), forward);
    var rules = new Rules(world.chance.between(1, CONCURRENCY_MAX), Existing.ALL, "{}");
    var first = forward ? FROM : day(days - 1);
    var wanted =
        new NewBackfill(id, WorkflowSpec.DEFAULT_TENANT, spec.name(), schedule, rules, first, days);
    started.put(id, spec);
    asking.ask(
        delay,
        "backfill " + Trace.brief(id.value()),
        api -> {
          api.register(spec);
          api.startBackfill(wanted);
        });
    if (world.chance.happens(PAUSES)) {
      var paused = delay.plus(later());
      asking.ask(paused, "pause backfill", api -> pause(api, id));
      asking.ask(paused.plus(later()), "resume backfill", api -> api.resumeBackfill(id));
    }
    if (world.chance.happens(CANCELS)) {
      cancel(id, delay.plus(later()));
    }
  }

  private void pause(Api api, BackfillId id) {
    if (api.pauseBackfill(id) instanceof BackfillSteer.Done) {
      world.coverage.count(Kind.BACKFILL, word(BackfillState.PAUSED));
    }
  }

  private static Instant day(int number) {
    return FROM.plus(DAY.multipliedBy(number));
  }

  private Duration later() {
    return world.chance.mostly(SOON, LATER, LATE_MAX);
  }

  /** Asks again until it is there; a late or repeated call finds it cancelled. */
  private void cancel(BackfillId id, Duration delay) {
    boolean alsoRunning = world.chance.happens(CANCELS_RUNS);
    world.ledger.cancelled(id);
    asking.ask(
        delay,
        "cancel backfill " + Trace.brief(id.value()),
        api -> {
          if (api.cancelBackfill(id, alsoRunning) instanceof BackfillSteer.Done) {
            world.trace.say("client", "has cancelled backfill", id);
            cancelledAt.putIfAbsent(id, newestChange());
          }
        });
  }

  private long newestChange() {
    return observed.runChangesAfter(lastChange).stream()
        .mapToLong(Observed.RunChange::id)
        .max()
        .orElse(lastChange);
  }

  /** A pause that took effect late would never end. */
  void resumeAll() {
    started
        .keySet()
        .forEach(id -> asking.ask(Duration.ZERO, "resume backfill", api -> api.resumeBackfill(id)));
  }

  void check() {
    var odd = observed.backfills().odd();
    Invariants.unless(odd.isEmpty(), Invariant.BACKFILL, odd::toString);
    for (var change : observed.runChangesAfter(lastChange)) {
      lastChange = Math.max(lastChange, change.id());
      if (change.to() == RunState.RUNNING && !cancelledAt.isEmpty()) {
        checkStart(change);
      }
      boolean created = change.from() == null;
      if ((created || change.to().isTerminal()) && !started.isEmpty() && !world.isCalm()) {
        observed.backfills().of(change.run()).ifPresent(this::mayCancel);
      }
    }
  }

  /** The leader is about to start this run, or to create the next one. */
  private void mayCancel(BackfillId id) {
    if (world.chance.happens(CANCELS_AT_A_CHANGE)) {
      cancel(id, world.chance.upTo(AT_ONCE));
    }
  }

  private void checkStart(Observed.RunChange change) {
    observed
        .backfills()
        .of(change.run())
        .map(cancelledAt::get)
        .ifPresent(
            answered ->
                Invariants.unless(
                    change.id() <= answered || world.ledger.wantedRetried(change.run()),
                    Invariant.BACKFILL,
                    () -> "it starts after the cancel of its backfill was answered: " + change));
  }

  boolean areOver() {
    return observed.backfills().all().stream().allMatch(row -> row.state().isTerminal());
  }

  void checkEnd() {
    for (var row : observed.backfills().all()) {
      world.coverage.count(Kind.BACKFILL, word(row.state()));
      boolean fits =
          switch (row.state()) {
            case COMPLETED -> row.fired() == row.total();
            case CANCELLED -> world.ledger.wantedCancelled(row.id());
            case RUNNING, PAUSED -> false;
          };
      Invariants.unless(
          fits && row.runs() == row.fired() && row.skipped() == 0,
          Invariant.BACKFILL,
          () -> "it has not done what it should: " + row);
    }
  }

  private static String word(BackfillState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  int runs() {
    return observed.backfills().all().stream().mapToInt(ObservedBackfills.Row::runs).sum();
  }

  /** Every run has all its tasks, also one that was cancelled before it started. */
  int tasks() {
    return observed.backfills().all().stream()
        .mapToInt(row -> row.runs() * tasksOf(row.id()))
        .sum();
  }

  private int tasksOf(BackfillId id) {
    return Objects.requireNonNull(started.get(id)).tasks().size();
  }

  // What the engine needs to know.

  static BackfillInstants instants(Schedule schedule) {
    var daily =
        new Timing(
            new Every(DAY, Every.ANCHOR_DEFAULT),
            ZoneOffset.UTC,
            Dst.DEFAULT,
            null,
            null,
            null,
            Duration.ZERO);
    return new BackfillInstants(daily, null, schedule.from(), schedule.to(), schedule.forward());
  }

  /** The graphs have no parameters. */
  static List<Answer> resolve(List<RunParams.Request> requests) {
    return requests.stream().<Answer>map(_ -> new Answer.Resolved("{}")).toList();
  }
}
