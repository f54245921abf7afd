package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.backfill.BackfillInstants;
import dev.belay.domain.backfill.BackfillState;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Timing;
import dev.belay.engine.port.Hints;
import dev.belay.engine.schedule.BackfillMeters;
import dev.belay.engine.schedule.BackfillPhase;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.RunParams.Answer;
import dev.belay.engine.statement.BackfillStatements;
import dev.belay.engine.statement.BackfillStatements.NewBackfill;
import dev.belay.engine.statement.BackfillStatements.Rules;
import dev.belay.engine.statement.BackfillStatements.Schedule;
import dev.belay.engine.steer.BackfillSteer;
import dev.belay.engine.steer.BackfillSteering;
import dev.belay.simulation.Api;
import dev.belay.simulation.model.LockNotAvailable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Backfills of the workflow w over days, stepped by hand. */
final class Backfills {

  static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  static final Duration DAY = Duration.ofDays(1);

  /** Instants of which the parameters are refused. */
  Instant refused = Instant.MAX;

  private final Stage stage;
  private final BackfillPhase phase;
  private final BackfillSteering steering;
  private final AtomicLong nanos = new AtomicLong();

  Backfills(Stage stage) {
    this.stage = stage;
    var transactions = stage.store.transactions();
    this.phase =
        new BackfillPhase(
            transactions,
            this::resolve,
            new BackfillPhase.Parts(
                Backfills::instants,
                json -> Map.of(),
                stage.ids(),
                Hints.NONE,
                BackfillMeters.NONE),
            new BackfillPhase.Settings(3, 2, DAY),
            () -> Optional.of(stage.epoch),
            () -> nanos.addAndGet(1_000_000_000));
    var api = Api.of(stage.store, stage.ids(), Hints.NONE);
    this.steering = new BackfillSteering(transactions, api.steering(), Hints.NONE);
  }

  private List<Answer> resolve(List<RunParams.Request> requests) {
    return requests.stream()
        .<Answer>map(
            request ->
                request.facts().logicalDate().equals(refused)
                    ? new Answer.Refused("no")
                    : new Answer.Resolved("{}"))
        .toList();
  }

  private static BackfillInstants instants(Schedule schedule) {
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

  static Instant day(int number) {
    return FROM.plus(DAY.multipliedBy(number));
  }

  BackfillId start(int days, int concurrency) {
    return start(days, concurrency, Existing.ALL, true);
  }

  BackfillId start(int days, int concurrency, Existing existing, boolean forward) {
    return start(null, days, concurrency, existing, forward);
  }

  /** Of one trigger. */
  BackfillId startMissing(TriggerId trigger, int days) {
    return start(trigger, days, days, Existing.MISSING, true);
  }

  private BackfillId start(
      @Nullable TriggerId trigger, int days, int concurrency, Existing existing, boolean forward) {
    var id = new BackfillId(stage.ids().next());
    var schedule = new Schedule(trigger, "{}", null, FROM, day(days), forward);
    var wanted =
        new NewBackfill(
            id,
            "default",
            "w",
            schedule,
            new Rules(concurrency, existing, "{}"),
            forward ? FROM : day(days - 1),
            days);
    boolean inserted = together(backfills -> backfills.insert(wanted, "client"));
    assertThat(inserted).isTrue();
    return id;
  }

  private <T> T together(Function<BackfillStatements, T> work) {
    return stage.store.transactions().together(statements -> work.apply(statements.backfills()));
  }

  /** One round of the leader. */
  Duration advance() {
    return phase.runOnce();
  }

  /** For one that must come first: it fails when it created nothing, because it had to wait. */
  boolean advanceFirst(BackfillId id) {
    int before = open(id).size();
    advance();
    if (open(id).size() == before) {
      throw new LockNotAvailable("something that the backfill needs");
    }
    return true;
  }

  /** Until a round has nothing to do. */
  void advanceAll() {
    for (int i = 0; advance().compareTo(DAY) < 0; i++) {
      assertThat(i).as("a backfill has no end").isLessThan(1_000);
    }
  }

  BackfillSteer cancel(BackfillId id) {
    return steering.cancel(id, false, "client");
  }

  BackfillSteer cancelWithRuns(BackfillId id) {
    return steering.cancel(id, true, "client");
  }

  BackfillSteer pause(BackfillId id) {
    return steering.pause(id, "client");
  }

  BackfillSteer resume(BackfillId id) {
    return steering.resume(id, "client");
  }

  /** Its QUEUED and RUNNING runs, oldest first. */
  List<RunId> open(BackfillId id) {
    return together(backfills -> backfills.readOpen(id));
  }

  BackfillState state(BackfillId id) {
    return together(backfills -> backfills.findState(id)).orElseThrow();
  }
}
