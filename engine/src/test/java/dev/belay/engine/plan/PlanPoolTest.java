package dev.belay.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.loop.Background;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.PlanReads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Expressions are evaluated outside the leader's turn. */
class PlanPoolTest {
  private static final Epoch EPOCH = new Epoch(1);
  private static final Epoch NEXT = new Epoch(2);
  private static final RunId PLAIN = run(1);
  private static final RunId CONDITIONAL = run(2);

  private final Marks store = new Marks();
  private final Stepped stepped = new Stepped();
  private final List<String> evaluated = new ArrayList<>();
  private int woken;
  private final PlanPhase phase = phase(2, 3);

  @Test
  void a_run_whose_expressions_take_long_holds_up_no_other() {
    mark(PLAIN, CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    assertThat(store.written).containsExactly("run 1 READY");
    assertThat(store.marks).as("those of the run that is being planned stay").containsOnlyKeys(2L);

    mark(PLAIN);
    phase.runOnce(EPOCH, 10);
    assertThat(store.written).containsExactly("run 1 READY", "run 1 READY");
    assertThat(evaluated).isEmpty();
    assertThat(woken).isZero();

    stepped.step();
    assertThat(woken).as("the leader is told").isEqualTo(1);
    phase.runOnce(EPOCH, 10);
    assertThat(store.written).last().isEqualTo("run 2 READY");
    assertThat(store.marks).isEmpty();
    assertThat(evaluated).hasSize(1);
  }

  @Test
  void a_mark_that_comes_meanwhile_stays_and_the_run_is_not_planned_twice_at_once() {
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    assertThat(stepped.size()).isEqualTo(1);

    stepped.step();
    phase.runOnce(EPOCH, 10);
    assertThat(store.marks).as("the later one").containsOnlyKeys(2L);
    stepped.step();
    phase.runOnce(EPOCH, 10);
    assertThat(store.marks).isEmpty();
    assertThat(evaluated).hasSize(2);
  }

  @Test
  void a_leader_that_was_deposed_meanwhile_writes_nothing() {
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    stepped.step();
    store.epoch = NEXT;
    assertThatThrownBy(() -> phase.runOnce(EPOCH, 10)).isInstanceOf(Deposed.class);
    assertThat(store.written).isEmpty();
    assertThat(store.marks).containsOnlyKeys(1L);
  }

  @Test
  void a_replica_that_leads_again_forgets_what_it_was_planning() {
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    stepped.step();
    store.epoch = NEXT;
    phase.runOnce(NEXT, 10);
    assertThat(store.written).as("the plan of the past").isEmpty();
    stepped.step();
    phase.runOnce(NEXT, 10);
    assertThat(store.written).containsExactly("run 2 READY");
    assertThat(evaluated).hasSize(2);
  }

  @Test
  void a_plan_that_is_not_begun_when_the_leader_changes_is_not_made() {
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    store.epoch = NEXT;
    phase.runOnce(NEXT, 10);
    stepped.step();
    assertThat(evaluated).isEmpty();
    stepped.step();
    assertThat(evaluated).hasSize(1);
  }

  /** Otherwise one that never returns would block its thread until the process ends. */
  @Test
  void an_evaluation_of_the_past_is_given_up_when_the_leader_changes() {
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    assertThat(stepped.abandoned).isZero();
    store.epoch = NEXT;
    phase.runOnce(NEXT, 10);
    assertThat(stepped.abandoned).isEqualTo(1);
  }

  @Test
  void after_a_restart_the_run_is_planned_again() {
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    PlanPhase restarted = phase(2, 3);
    restarted.runOnce(EPOCH, 10);
    stepped.step();
    stepped.step();
    restarted.runOnce(EPOCH, 10);
    assertThat(store.written).containsExactly("run 2 READY");
    assertThat(store.marks).isEmpty();
  }

  @Test
  void an_evaluation_that_never_comes_back_fails_its_run_once_and_for_all() {
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    runUntil(14);
    assertThat(store.written).isEmpty();
    runUntil(16);
    assertThat(store.written)
        .containsExactly("run 2 FAILED expression_too_costly: planning took more than 15s");
    assertThat(store.marks).isEmpty();
    assertThat(stepped.abandoned).isEqualTo(1);

    stepped.running = Duration.ZERO;
    stepped.step();
    phase.runOnce(EPOCH, 10);
    assertThat(store.written).as("what it says at last is not heard").hasSize(1);
  }

  @Test
  void a_leader_that_stood_still_gives_up_nothing_for_it() {
    mark(CONDITIONAL);
    runUntil(3);
    stepped.running = Duration.ofMinutes(10);
    phase.runOnce(EPOCH, 10);
    assertThat(stepped.abandoned).isZero();
    stepped.step();
    phase.runOnce(EPOCH, 10);
    assertThat(store.written).containsExactly("run 2 READY");
  }

  /** The plan runs this long, and the leader looks once a second. */
  private void runUntil(int seconds) {
    while (stepped.running.toSeconds() < seconds) {
      stepped.running = stepped.running.plusSeconds(1);
      phase.runOnce(EPOCH, 10);
    }
  }

  @Test
  void runs_wait_for_room_without_being_read_again_and_hold_up_nobody() {
    for (int i = 2; i <= 9; i++) {
      mark(run(i));
    }
    mark(PLAIN);
    assertThat(phase.runOnce(EPOCH, 100))
        .as("two are planned, three wait, the others go behind all")
        .isEqualTo(9 - 3);
    assertThat(store.written).containsExactly("run 1 READY");
    assertThat(stepped.size()).isEqualTo(2);
    assertThat(store.postponed).hasSize(3);
    store.read.clear();
    phase.runOnce(EPOCH, 100);
    assertThat(store.read).as("not those that are planned or wait").hasSize(3);
    for (int turn = 0; turn < 10; turn++) {
      stepped.step();
      phase.runOnce(EPOCH, 100);
    }
    assertThat(store.marks).as("all were planned in the end").isEmpty();
    assertThat(store.written).hasSize(9);
  }

  @Test
  void a_full_background_is_no_failure() {
    stepped.full = true;
    mark(CONDITIONAL);
    phase.runOnce(EPOCH, 10);
    phase.runOnce(EPOCH, 10);
    assertThat(store.marks).hasSize(1);
    stepped.full = false;
    phase.runOnce(EPOCH, 10);
    stepped.step();
    phase.runOnce(EPOCH, 10);
    assertThat(store.written).containsExactly("run 2 READY");
  }

  private void mark(RunId... runs) {
    for (RunId run : runs) {
      store.mark(run);
    }
  }

  private static RunId run(int number) {
    return new RunId(new UUID(0, number));
  }

  private PlanPhase phase(int runs, int waiting) {
    Expressions expressions =
        scope ->
            template -> {
              evaluated.add(template.text());
              return true;
            };
    var limits = new PlanPool.Limits(runs, waiting, Duration.ofNanos(1), Duration.ofSeconds(15));
    return new PlanPhase(
        store,
        store,
        new Workflows(store, PlanPoolTest::workflow, 10),
        new Planner(expressions),
        () -> new UUID(9, 9),
        Hints.NONE,
        new PlanPool(stepped, limits, () -> 0, () -> woken++));
  }

  private static WorkflowSpec workflow(String when) {
    var task =
        new TaskSpec(
            "a",
            new Action.Script("true"),
            List.of(),
            TriggerRule.ALL_SUCCESS,
            when.isEmpty() ? null : new Template(when),
            Map.of(),
            RunPolicy.DEFAULT,
            TaskSpec.PRIORITY_DEFAULT,
            TaskSpec.POOL_DEFAULT,
            Map.of(),
            null);
    return new WorkflowSpec(
        "default", "w", null, Map.of(), List.of(), RunLimits.NONE, List.of(task));
  }

  /** Runs its work when the test steps it. */
  private static final class Stepped implements Background {
    private final Deque<Runnable> work = new ArrayDeque<>();
    Duration running = Duration.ZERO;
    boolean full;
    int abandoned;

    @Override
    public Optional<Ticket> offer(Runnable one) {
      if (full) {
        return Optional.empty();
      }
      work.add(one);
      return Optional.of(
          new Ticket() {
            @Override
            public Duration ran() {
              return running;
            }

            @Override
            public void abandon() {
              abandoned++;
            }
          });
    }

    void step() {
      Runnable next = work.poll();
      if (next != null) {
        next.run();
      }
    }

    int size() {
      return work.size();
    }
  }

  /** Runs that are always QUEUED: number 1 without expressions, the others with. */
  private static final class Marks implements PlanReads, Plans {
    final Map<Long, RunId> marks = new TreeMap<>();
    final List<String> written = new ArrayList<>();
    final List<RunId> read = new ArrayList<>();
    final List<Long> postponed = new ArrayList<>();
    Epoch epoch = EPOCH;
    private long last;

    void mark(RunId run) {
      marks.put(++last, run);
    }

    @Override
    public List<Mark> readMarks(int max, Collection<RunId> except) {
      return marks.entrySet().stream()
          .filter(mark -> !except.contains(mark.getValue()))
          .limit(max)
          .map(mark -> new Mark(mark.getKey(), mark.getValue()))
          .toList();
    }

    @Override
    public List<StoredRun> readRuns(Collection<RunId> runs) {
      read.addAll(runs);
      var view =
          new RunView(RunState.QUEUED, null, new Expressions.Scope(Map.of(), Map.of()), Map.of());
      return runs.stream()
          .map(id -> new StoredRun(id, "default", new WorkflowId(id.value()), view))
          .toList();
    }

    @Override
    public String readSpec(WorkflowId workflow) {
      return workflow.value().equals(PLAIN.value()) ? "" : "${{ costly }}";
    }

    @Override
    public Applied apply(Epoch of, List<PlannedRun> plans, Collection<Long> done) {
      if (!of.equals(epoch)) {
        throw new Deposed(of);
      }
      for (PlannedRun planned : plans) {
        written.add("run " + planned.run().id().value().getLeastSignificantBits() + what(planned));
      }
      marks.keySet().removeAll(done);
      return new Applied(Effects.NONE, Set.of(), Map.of(), 0, 0, Set.of());
    }

    private static String what(PlannedRun planned) {
      Plan.RunMove end = planned.plan().end();
      return end == null ? " READY" : " " + end.to() + " " + end.reason();
    }

    @Override
    public void postpone(Epoch of, Collection<Long> late) {
      for (Long mark : late) {
        postponed.add(mark);
        mark(Objects.requireNonNull(marks.remove(mark)));
      }
    }

    @Override
    public boolean isRefused(RuntimeException failure) {
      return false;
    }
  }
}
