package dev.belay.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.OrderedIds;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.reap.LivenessVerdict;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.PlanWriter;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Target;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ReapReads.Survey;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.reap.ReapWriter.Ending;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import dev.belay.simulation.Api;
import dev.belay.simulation.Intake.WantedTask;
import dev.belay.simulation.Observed.TaskChange;
import dev.belay.simulation.Sabotage;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.guard.RaceGuard;
import dev.belay.simulation.model.Histories.Step;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the guards of planning and reaping keep out, and what is observed without them. */
class MemoryStoreTest {

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final Peer PEER =
      new Peer(new WorkerId(new UUID(1, 1)), new SessionId(new UUID(2, 1)), 1);
  private static final String SINGLE =
      "{name: single, run: {max_active: 1}, tasks: [{name: a, command: [\"true\"]}]}";

  private final Ids ids = new OrderedIds(CLOCK, new Random(1));

  private static MemoryStore without(RaceGuard... guards) {
    return new MemoryStore(CLOCK, Guards.without(List.of(guards)));
  }

  private Api intake(MemoryStore store) {
    return Api.of(store, ids, Hints.NONE);
  }

  private static Epoch lead(MemoryStore store) {
    return store.election("replica").campaign().orElseThrow();
  }

  private void plan(MemoryStore store, Epoch epoch) {
    var plans = store.plans();
    var workflows = new Workflows(plans, SpecCodec::fromJson, 10);
    var planner = new Planner(new CelExpressions());
    var writer =
        new PlanWriter(
            store.transactions(), new QueueCatalog(store.queues(), () -> 0), Meters.NONE);
    new PlanPhase(plans, writer, workflows, planner, ids, Hints.NONE).runOnce(epoch, 100);
  }

  private static WorkflowSpec spec(String file) {
    if (WorkflowFile.parse("test", file) instanceof Parsed.Valid(WorkflowSpec spec)) {
      return spec;
    }
    throw new IllegalArgumentException(file);
  }

  private static WantedTask task(String name) {
    var work = new Work(List.of("true"), null, Map.of(), RunPolicy.DEFAULT);
    return new WantedTask(name, 50, "default", work, null);
  }

  /** In the middle of that statement, counted from zero. */
  private static void meanwhile(MemoryStore store, int statement, Runnable act) {
    int[] left = {statement};
    store.others(
        () -> {
          if (left[0]-- == 0) {
            act.run();
          }
        });
  }

  @Test
  void change_that_was_written_first_and_committed_last_is_observed_last() {
    var store = without();
    var tables = store.tables();
    var task = intake(store).submit("task", List.of(task("task"))).getFirst();
    long[] seen = {1};
    tables.database.<Integer>transaction(
        transaction -> {
          transaction.statement(
              statement -> {
                var row = statement.read(tables.task, task).orElseThrow();
                tables.stored(
                    statement,
                    row,
                    new Step(row.state, row.state, "first", "test", null, CLOCK.instant()));
                return 0;
              });
          intake(store).submit("other", List.of(task("other")));
          seen[0] = store.observed().taskChangesAfter(1).getLast().id();
          return 0;
        });
    assertThat(store.observed().taskChangesAfter(seen[0]))
        .extracting(TaskChange::reason)
        .containsExactly("first");
  }

  @Test
  void mark_that_came_after_the_marks_were_read_stays() {
    var store = cancelledWhilePlanned(without());
    assertThat(store.plans().readMarks(10)).hasSize(1);
    assertThat(store.observed().forgottenByCancel()).isEmpty();
  }

  @Test
  void without_mark_before_read_a_cancel_is_forgotten() {
    var store = cancelledWhilePlanned(without(RaceGuard.MARK_BEFORE_READ));
    assertThat(store.plans().readMarks(10)).isEmpty();
    assertThat(store.observed().forgottenByCancel()).hasSize(1);
  }

  private MemoryStore cancelledWhilePlanned(MemoryStore store) {
    var epoch = lead(store);
    intake(store).register(spec(SINGLE));
    var run = intake(store).trigger("run", "single");
    // marks, tasks, runs, spec; then the epoch lock of the write
    meanwhile(store, 4, () -> intake(store).cancelRun(run));
    plan(store, epoch);
    store.others(() -> {});
    return store;
  }

  @Test
  void second_run_waits_for_its_turn_and_without_the_guard_is_one_too_many() {
    for (var store : List.of(without(), without(RaceGuard.MAX_ACTIVE))) {
      boolean guarded = store.tables().guards.has(RaceGuard.MAX_ACTIVE);
      var epoch = lead(store);
      intake(store).register(spec(SINGLE));
      var first = intake(store).trigger("first", "single");
      intake(store).trigger("second", "single");
      plan(store, epoch);
      assertThat(store.observed().overLimit()).hasSize(guarded ? 0 : 1);
      assertThat(store.plans().readMarks(10)).isEmpty();
      if (guarded) {
        intake(store).cancelRun(first);
        plan(store, epoch);
        assertThat(store.plans().readMarks(10)).hasSize(1);
      }
    }
  }

  @Test
  void worker_that_reports_while_it_is_judged_keeps_its_task() {
    assertThat(endedThoughItReported(without())).isFalse();
  }

  @Test
  void without_a_witness_a_living_worker_loses_its_task() {
    assertThat(endedThoughItReported(without(RaceGuard.WITNESS))).isTrue();
  }

  private boolean endedThoughItReported(MemoryStore store) {
    var epoch = lead(store);
    var profile =
        new WorkerHello.Profile("w", new Offer(List.of("default"), 1, Map.of()), "1", "x");
    store
        .workers()
        .register(new WorkerHello(PEER, WorkerKey.random(new Random(1)), 1, 1, profile), "replica");
    var task = intake(store).submit("task", List.of(task("task"))).getFirst();
    var claim = new Claim(task, new DispatchId(ids.next()), 0);
    var to = new Target(PEER.worker(), PEER.session());
    store.dispatches().claim(epoch, Map.of(to, List.of(claim)), Instant.MAX);
    var reads = store.reaps(ReapSettings.DEFAULT);
    var guards = store.tables().guards;
    var results =
        Sabotage.results(
            store.transactions(),
            new RetryDecision(new Random(1)),
            new DeadLetters(() -> new UUID(5, 1), false),
            guards);
    var reaps =
        Sabotage.reaps(
            store.transactions(), reads, results, ReapSettings.DEFAULT, over -> {}, guards);
    Survey survey = reads.survey();
    assertThat(survey.workers()).hasSize(1);
    var witness = new TreeMap<WorkerId, Witness>();
    survey.workers().forEach(worker -> witness.put(worker.id(), worker.witness()));
    var active = reads.readActive(List.of(PEER.worker()), null, 10, survey).getFirst();
    store.workers().touch(PEER, new Load(1, List.of(), 1, 0));
    var end = new LivenessVerdict.End(RecoveryKind.AGENT_SILENT, Duration.ZERO, Duration.ZERO);
    boolean ended = reaps.end(epoch, List.of(new Ending(active, end)), witness).count() > 0;
    assertThat(store.observed().recoveriesAfter(0)).hasSize(ended ? 1 : 0);
    assertThat(store.observed().tasks(List.of(task)).getFirst().state() == TaskState.DISPATCHED)
        .isEqualTo(!ended);
    assertThat(store.observed().oddAttempts()).isEmpty();
    return ended;
  }
}
