package dev.belay.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
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
import dev.belay.engine.loop.Budget;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.PlanReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanPhaseTest {
  private static final Epoch EPOCH = new Epoch(1);
  private static final RunId FIRST = new RunId(new UUID(1, 1));
  private static final RunId SECOND = new RunId(new UUID(1, 2));

  private final TwoRuns store = new TwoRuns();
  private final PlanPhase phase = phase(store);

  @Test
  void a_workflow_that_cannot_be_read_now_does_not_end_its_run() {
    store.unreadable.add(workflowOf(FIRST));
    assertThat(phase.runOnce(EPOCH, 10)).isEqualTo(2);
    assertThat(store.postponed).containsExactly(1L);
    assertThat(store.planned).containsExactly("2 creates 1, ends false, marks [2]");

    store.unreadable.clear();
    phase.runOnce(EPOCH, 10);
    assertThat(store.planned.getLast())
        .isEqualTo("1 2 creates 1 1, ends false false, marks [1, 2]");
  }

  @Test
  void a_workflow_that_makes_no_sense_ends_its_run_and_no_other() {
    store.senseless.add(workflowOf(FIRST));
    phase.runOnce(EPOCH, 10);
    assertThat(store.postponed).isEmpty();
    assertThat(store.planned).containsExactly("1 2 creates 0 1, ends true false, marks [1, 2]");
  }

  @Test
  void a_workflow_nested_too_deeply_ends_its_run_and_no_other() {
    store.bottomless.add(workflowOf(FIRST));
    phase.runOnce(EPOCH, 10);
    assertThat(store.postponed).isEmpty();
    assertThat(store.planned).containsExactly("1 2 creates 0 1, ends true false, marks [1, 2]");
  }

  @Test
  void a_run_that_exhausts_the_memory_is_given_up_after_a_few_tries() {
    store.hungry.add(workflowOf(FIRST));
    for (int tries = 1; tries < PlanPhase.MEMORY_TRIES_MAX; tries++) {
      phase.runOnce(EPOCH, 10);
      assertThat(store.planned.getLast()).isEqualTo("2 creates 1, ends false, marks [2]");
      assertThat(store.postponed).hasSize(tries);
    }
    phase.runOnce(EPOCH, 10);
    assertThat(store.planned.getLast()).isEqualTo("1 2 creates 0 1, ends true false, marks [1, 2]");
  }

  @Test
  void a_run_that_cannot_be_read_holds_up_no_other() {
    store.unreadableRuns.put(FIRST, new StackOverflowError("poison"));
    phase.runOnce(EPOCH, 10);
    assertThat(store.postponed).containsExactly(1L);
    assertThat(store.planned).containsExactly("2 creates 1, ends false, marks [2]");

    store.unreadableRuns.put(FIRST, new IllegalStateException("poison"));
    phase.runOnce(EPOCH, 10);
    assertThat(store.planned).hasSize(2);
  }

  @Test
  void a_run_that_cannot_be_written_holds_up_no_other() {
    for (Throwable poison :
        List.of(
            new IllegalStateException("poison"),
            new OutOfMemoryError("poison"),
            new StackOverflowError("poison"))) {
      store.planned.clear();
      store.unwritable.put(FIRST, poison);
      phase.runOnce(EPOCH, 10);
      assertThat(store.planned).as("%s", poison).contains("2 creates 1, ends false, marks [2]");
    }
    assertThat(store.postponed).as("also when it cannot be given up").containsExactly(1L, 1L, 1L);
    store.postponeFails = true;
    phase.runOnce(EPOCH, 10);
    assertThat(store.planned.getLast()).isEqualTo("2 creates 1, ends false, marks [2]");
  }

  @Test
  void spent_budget_yields_with_a_word_that_more_is_left() {
    var busy = new TwoRuns();
    busy.runs = 45;
    var ticks = new AtomicLong();
    var budget = Budget.of(Duration.ofNanos(1), ticks::getAndIncrement);
    assertThat(phase(busy).runOnce(EPOCH, 100, budget)).isEqualTo(100);
    assertThat(busy.planned).as("one chunk, so that it goes on at all").hasSize(1);
    assertThat(phase(busy).runOnce(EPOCH, 100, Budget.UNLIMITED)).isEqualTo(45);
    assertThat(busy.planned).hasSize(4);
  }

  private static WorkflowId workflowOf(RunId run) {
    return new WorkflowId(run.value());
  }

  private static PlanPhase phase(TwoRuns store) {
    Expressions literal = scope -> template -> template.text();
    var workflows = new Workflows(store, PlanPhaseTest::decode, 10);
    return new PlanPhase(
        store, store, workflows, new Planner(literal), () -> new UUID(9, 9), Hints.NONE);
  }

  private static WorkflowSpec decode(String spec) {
    if (spec.equals("nonsense")) {
      throw new IllegalArgumentException("nonsense");
    }
    if (spec.equals("bottomless")) {
      return decode(nest(spec));
    }
    if (spec.equals("hungry")) {
      throw new OutOfMemoryError("Java heap space");
    }
    var task =
        new TaskSpec(
            "one",
            new Action.Command(List.of(new Template("true"))),
            List.of(),
            TriggerRule.ALL_SUCCESS,
            null,
            Map.of(),
            RunPolicy.DEFAULT,
            TaskSpec.PRIORITY_DEFAULT,
            TaskSpec.POOL_DEFAULT,
            Map.of(),
            null);
    return new WorkflowSpec(
        "default", spec, null, Map.of(), List.of(), RunLimits.NONE, List.of(task));
  }

  /** Really overflows the stack. */
  private static String nest(String spec) {
    return spec.isEmpty() ? spec : nest(spec) + spec;
  }

  /** Two runs of two workflows that always need a plan. */
  private static final class TwoRuns implements PlanReads, Plans {
    @Override
    public boolean isRefused(RuntimeException failure) {
      return false;
    }

    final Set<WorkflowId> unreadable = new HashSet<>();
    final Set<WorkflowId> senseless = new HashSet<>();
    final Set<WorkflowId> bottomless = new HashSet<>();
    final Set<WorkflowId> hungry = new HashSet<>();
    final Map<RunId, Throwable> unreadableRuns = new HashMap<>();
    final Map<RunId, Throwable> unwritable = new HashMap<>();
    boolean postponeFails;
    int runs = 2;
    final List<Long> postponed = new ArrayList<>();
    final List<String> planned = new ArrayList<>();

    @Override
    public List<Mark> readMarks(int max, Collection<RunId> except) {
      return LongStream.rangeClosed(1, runs)
          .mapToObj(number -> new Mark(number, new RunId(new UUID(1, number))))
          .filter(mark -> !except.contains(mark.run()))
          .toList();
    }

    @Override
    public List<StoredRun> readRuns(Collection<RunId> runs) {
      runs.forEach(run -> fail(unreadableRuns.get(run)));
      var scope = new Expressions.Scope(Map.of(), Map.of());
      var view = new RunView(RunState.QUEUED, null, scope, Map.of());
      return runs.stream().map(id -> new StoredRun(id, "default", workflowOf(id), view)).toList();
    }

    @Override
    public String readSpec(WorkflowId workflow) {
      if (unreadable.contains(workflow)) {
        throw new IllegalStateException("the database is away");
      }
      if (bottomless.contains(workflow)) {
        return "bottomless";
      }
      if (hungry.contains(workflow)) {
        return "hungry";
      }
      return senseless.contains(workflow) ? "nonsense" : "fine";
    }

    @Override
    public Applied apply(Epoch epoch, List<PlannedRun> plans, Collection<Long> marks) {
      plans.forEach(plan -> fail(unwritable.get(plan.run().id())));
      planned.add(
          "%screates %sends %smarks %s"
              .formatted(
                  words(plans, plan -> plan.run().id().value().getLeastSignificantBits(), " "),
                  words(plans, plan -> plan.plan().creations().size(), ", "),
                  words(plans, plan -> plan.plan().end() != null, ", "),
                  marks));
      return new Applied(Effects.NONE, Set.of(), Map.of(), 0, 0, Set.of());
    }

    private static void fail(@Nullable Throwable poison) {
      switch (poison) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> {}
      }
    }

    private static String words(
        List<PlannedRun> plans, Function<PlannedRun, Object> word, String end) {
      return plans.stream().map(word).map(String::valueOf).collect(Collectors.joining(" ")) + end;
    }

    @Override
    public void postpone(Epoch epoch, Collection<Long> marks) {
      if (postponeFails) {
        throw new IllegalStateException("the database is away");
      }
      postponed.addAll(marks);
    }
  }
}
