package dev.belay.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.PlanStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
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

  private static WorkflowId workflowOf(RunId run) {
    return new WorkflowId(run.value());
  }

  private static PlanPhase phase(PlanStore store) {
    Expressions literal = (template, scope) -> template.text();
    var workflows = new Workflows(store, PlanPhaseTest::decode, 10);
    return new PlanPhase(
        store, workflows, new Planner(literal), () -> new UUID(9, 9), new Unheard());
  }

  private static WorkflowSpec decode(String spec) {
    if (spec.equals("nonsense")) {
      throw new IllegalArgumentException("nonsense");
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
            Map.of());
    return new WorkflowSpec("default", spec, null, Map.of(), List.of(task));
  }

  /** Two runs that always have to be planned, each of a workflow of its own. */
  private static final class TwoRuns implements PlanStore {
    @Override
    public boolean isRefused(RuntimeException failure) {
      return false;
    }

    final Set<WorkflowId> unreadable = new HashSet<>();
    final Set<WorkflowId> senseless = new HashSet<>();
    final List<Long> postponed = new ArrayList<>();
    final List<String> planned = new ArrayList<>();

    @Override
    public List<Mark> readMarks(int max) {
      return List.of(new Mark(1, FIRST), new Mark(2, SECOND));
    }

    @Override
    public List<StoredRun> readRuns(Collection<RunId> runs) {
      var scope = new Expressions.Scope(Map.of(), Map.of());
      var view = new RunView(RunState.QUEUED, false, scope, Map.of());
      return runs.stream().map(id -> new StoredRun(id, "default", workflowOf(id), view)).toList();
    }

    @Override
    public String readSpec(WorkflowId workflow) {
      if (unreadable.contains(workflow)) {
        throw new IllegalStateException("the database is away");
      }
      return senseless.contains(workflow) ? "nonsense" : "fine";
    }

    @Override
    public Applied apply(Epoch epoch, List<PlannedRun> plans, Collection<Long> marks) {
      planned.add(
          "%screates %sends %smarks %s"
              .formatted(
                  words(plans, plan -> plan.run().id().value().getLeastSignificantBits(), " "),
                  words(plans, plan -> plan.plan().creations().size(), ", "),
                  words(plans, plan -> plan.plan().end() != null, ", "),
                  marks));
      return new Applied(0, Set.of(), Map.of(), 0);
    }

    private static String words(
        List<PlannedRun> plans, Function<PlannedRun, Object> word, String end) {
      return plans.stream().map(word).map(String::valueOf).collect(Collectors.joining(" ")) + end;
    }

    @Override
    public void postpone(Epoch epoch, Collection<Long> marks) {
      postponed.addAll(marks);
    }
  }

  private static final class Unheard implements Hints {
    @Override
    public void workReady() {}

    @Override
    public void runChanged() {}

    @Override
    public void mailbox(WorkerId worker) {}

    @Override
    public void leaderLeft() {}
  }
}
