package dev.belay.server.metrics;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkflowId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Planner;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanStore;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Counts what planning creates and ends. */
public record MeteredPlans(PlanStore store, BelayMetrics metrics) implements PlanStore {

  @Override
  public Applied apply(Epoch epoch, List<PlannedRun> plans, Collection<Long> marks) {
    Applied applied = store.apply(epoch, plans, marks);
    metrics.received(BelayMetrics.Source.RUN, applied.created());
    applied.tasksEnded().forEach(metrics::completed);
    applied.ended().values().forEach(metrics::runCompleted);
    metrics.expressionsTooCostly(plans.stream().mapToInt(MeteredPlans::tooCostly).sum());
    return applied;
  }

  private static int tooCostly(PlannedRun planned) {
    var plan = planned.plan();
    var reasons =
        Stream.of(
                plan.creations().stream().map(Plan.Creation::reason),
                plan.moves().stream().map(Plan.Move::reason),
                Stream.ofNullable(plan.end()).map(Plan.RunMove::reason))
            .flatMap(each -> each);
    return Math.toIntExact(reasons.filter(reason -> reason.startsWith(Planner.TOO_COSTLY)).count());
  }

  @Override
  public List<Mark> readMarks(int max, Collection<RunId> except) {
    return store.readMarks(max, except);
  }

  @Override
  public List<StoredRun> readRuns(Collection<RunId> runs) {
    return store.readRuns(runs);
  }

  @Override
  public String readSpec(WorkflowId workflow) {
    return store.readSpec(workflow);
  }

  @Override
  public void postpone(Epoch epoch, Collection<Long> marks) {
    store.postpone(epoch, marks);
  }

  @Override
  public boolean isRefused(RuntimeException failure) {
    return store.isRefused(failure);
  }
}
