package dev.belay.engine.plan;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Planner;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.PlanStore;
import dev.belay.engine.port.PlanStore.Applied;
import dev.belay.engine.port.PlanStore.Mark;
import dev.belay.engine.port.PlanStore.PlannedRun;
import dev.belay.engine.port.PlanStore.StoredRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Advances the runs that changed. A run that cannot be planned, or written, never stops the others.
 */
public final class PlanPhase {

  private static final Logger log = LoggerFactory.getLogger(PlanPhase.class);

  /**
   * Runs planned and written together: their tasks, at most 10,000 each, are in memory at one time.
   */
  private static final int RUNS_MAX = 20;

  private final PlanStore store;
  private final Workflows workflows;
  private final Planner planner;
  private final Ids ids;
  private final Hints hints;

  public PlanPhase(PlanStore store, Workflows workflows, Planner planner, Ids ids, Hints hints) {
    this.store = store;
    this.workflows = workflows;
    this.planner = planner;
    this.ids = ids;
    this.hints = hints;
  }

  /**
   * Plans the runs of up to {@code marksMax} marks.
   *
   * @return how many marks were read: fewer than {@code marksMax} means that nothing is left
   */
  public int runOnce(Epoch epoch, int marksMax) {
    List<Mark> marks = store.readMarks(marksMax);
    if (marks.isEmpty()) {
      return 0;
    }
    Map<RunId, List<Long>> marksByRun = new LinkedHashMap<>();
    for (Mark mark : marks) {
      marksByRun.computeIfAbsent(mark.run(), run -> new ArrayList<>()).add(mark.id());
    }
    List<RunId> runs = List.copyOf(marksByRun.keySet());
    for (int from = 0; from < runs.size(); from += RUNS_MAX) {
      Map<RunId, List<Long>> chunk = new LinkedHashMap<>();
      runs.subList(from, Math.min(runs.size(), from + RUNS_MAX))
          .forEach(run -> chunk.put(run, marksByRun.getOrDefault(run, List.of())));
      advance(epoch, chunk);
    }
    return marks.size();
  }

  private void advance(Epoch epoch, Map<RunId, List<Long>> marksByRun) {
    List<PlannedRun> plans = new ArrayList<>();
    for (StoredRun run : store.readRuns(List.copyOf(marksByRun.keySet()))) {
      Graph graph;
      try {
        graph = workflows.graph(run.workflow());
      } catch (Graph.NotAGraph unplannable) {
        plans.add(planned(run, abandon(run, unplannable)));
        continue;
      } catch (RuntimeException unread) {
        // The store failed, not the run: others are planned now, this one when the store is back.
        log.atWarn().addKeyValue("run", run.id()).setCause(unread).log("workflow not read");
        store.postpone(epoch, marksByRun.getOrDefault(run.id(), List.of()));
        marksByRun.remove(run.id());
        continue;
      }
      plans.add(planned(run, plan(graph, run)));
    }
    apply(epoch, plans, marksByRun);
  }

  private PlannedRun planned(StoredRun run, Plan plan) {
    List<TaskId> newTasks =
        Stream.generate(() -> new TaskId(ids.next())).limit(plan.creations().size()).toList();
    return new PlannedRun(run, plan, newTasks);
  }

  private Plan plan(Graph graph, StoredRun run) {
    try {
      return planner.plan(graph, run.view());
    } catch (RuntimeException unplannable) {
      return abandon(run, unplannable);
    }
  }

  private static Plan abandon(StoredRun run, Exception unplannable) {
    log.atError()
        .addKeyValue("run", run.id())
        .setCause(unplannable)
        .log("run cannot be planned and is given up");
    return Planner.abandon(run.view(), "unplannable: " + unplannable.getMessage());
  }

  private void apply(Epoch epoch, List<PlannedRun> plans, Map<RunId, List<Long>> marksByRun) {
    try {
      List<Long> marks = marksByRun.values().stream().flatMap(List::stream).toList();
      hint(store.apply(epoch, plans, marks));
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException together) {
      log.atWarn()
          .addKeyValue("runs", plans.size())
          .setCause(together)
          .log("plans could not be written together, writing them one by one");
      plans.forEach(plan -> applyAlone(epoch, plan, marksByRun));
    }
  }

  private void applyAlone(Epoch epoch, PlannedRun plan, Map<RunId, List<Long>> marksByRun) {
    List<Long> marks = marksByRun.getOrDefault(plan.run().id(), List.of());
    try {
      hint(store.apply(epoch, List.of(plan), marks));
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException alone) {
      log.atError()
          .addKeyValue("run", plan.run().id())
          .setCause(alone)
          .log("plan could not be written");
      if (store.isRefused(alone)) {
        Plan abandoned = Planner.abandon(plan.run().view(), "unwritable");
        hint(store.apply(epoch, List.of(planned(plan.run(), abandoned)), marks));
      } else {
        store.postpone(epoch, marks);
      }
    }
  }

  private void hint(Applied applied) {
    applied.toAbort().forEach(hints::mailbox);
    if (!applied.ended().isEmpty() || applied.lostMoves() > 0 || applied.released() > 0) {
      hints.runChanged();
    }
    applied
        .ended()
        .forEach(
            (run, state) ->
                log.atInfo().addKeyValue("run", run).addKeyValue("state", state).log("run ended"));
  }
}
