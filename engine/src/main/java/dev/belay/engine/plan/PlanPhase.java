package dev.belay.engine.plan;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Planner;
import dev.belay.engine.loop.Budget;
import dev.belay.engine.plan.PlanPool.Made;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.PlanReads;
import dev.belay.engine.port.PlanReads.Mark;
import dev.belay.engine.port.PlanReads.StoredRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Advances changed runs. A run that cannot be planned or written never stops the others. */
public final class PlanPhase {

  private static final Logger log = LoggerFactory.getLogger(PlanPhase.class);

  /** Runs planned and written together. Their tasks, up to 10,000 each, share the memory. */
  private static final int RUNS_MAX = 20;

  /** Tries to plan a run that exceeds the memory, before it is given up. */
  static final int MEMORY_TRIES_MAX = 3;

  /** Bound on the remembered runs of that kind. */
  private static final int EXHAUSTED_MAX = 1_000;

  private final PlanReads reads;
  private final Plans writer;
  private final Workflows workflows;
  private final Planner planner;
  private final Ids ids;
  private final Hints hints;
  private final PlanPool pool;
  private final Map<RunId, Integer> exhausted = new HashMap<>();

  /** In which this turn made tasks eligible. */
  private final Set<QueueId> queues = new LinkedHashSet<>();

  /** Marks in this turn whose runs went behind all others. */
  private int refused;

  /** Evaluates expressions within the turn. */
  public PlanPhase(
      PlanReads reads, Plans writer, Workflows workflows, Planner planner, Ids ids, Hints hints) {
    this(reads, writer, workflows, planner, ids, hints, PlanPool.direct());
  }

  /**
   * @param pool makes the plans that need the value of an expression
   */
  public PlanPhase(
      PlanReads reads,
      Plans writer,
      Workflows workflows,
      Planner planner,
      Ids ids,
      Hints hints,
      PlanPool pool) {
    this.reads = reads;
    this.writer = writer;
    this.workflows = workflows;
    this.planner = planner;
    this.ids = ids;
    this.hints = hints;
    this.pool = pool;
  }

  /** Plans the runs of up to {@code marksMax} marks, without a time limit. */
  public int runOnce(Epoch epoch, int marksMax) {
    return runOnce(epoch, marksMax, Budget.UNLIMITED);
  }

  /**
   * Plans the runs of up to {@code marksMax} marks, or fewer when the budget is spent.
   *
   * @return the marks read, or {@code marksMax} when the budget was spent: fewer than {@code
   *     marksMax} means that none is left
   */
  public int runOnce(Epoch epoch, int marksMax, Budget budget) {
    write(epoch, pool.collect(epoch), budget);
    List<Mark> marks = reads.readMarks(marksMax, pool.busy());
    if (marks.isEmpty()) {
      return 0;
    }
    refused = 0;
    boolean done = advanceAll(epoch, marks, budget);
    write(epoch, pool.collectSoon(epoch), budget);
    return done ? marks.size() - refused : marksMax;
  }

  /** Returns whether time sufficed for all of them. */
  private boolean advanceAll(Epoch epoch, List<Mark> marks, Budget budget) {
    Map<RunId, List<Long>> marksByRun = new LinkedHashMap<>();
    for (Mark mark : marks) {
      marksByRun.computeIfAbsent(mark.run(), run -> new ArrayList<>()).add(mark.id());
    }
    List<RunId> runs = List.copyOf(marksByRun.keySet());
    for (int from = 0; from < runs.size(); from += RUNS_MAX) {
      if (from > 0 && budget.isSpent()) {
        return false;
      }
      Map<RunId, List<Long>> chunk = new LinkedHashMap<>();
      runs.subList(from, Math.min(runs.size(), from + RUNS_MAX))
          .forEach(run -> chunk.put(run, marksByRun.getOrDefault(run, List.of())));
      advance(epoch, chunk, budget);
    }
    return true;
  }

  private void advance(Epoch epoch, Map<RunId, List<Long>> marksByRun, Budget budget) {
    List<StoredRun> runs;
    try {
      runs = reads.readRuns(List.copyOf(marksByRun.keySet()));
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError unread) {
      advanceAlone(epoch, marksByRun, budget, unread);
      return;
    }
    List<Plans.PlannedRun> plans = new ArrayList<>();
    for (StoredRun run : runs) {
      try {
        Optional<Plan> plan = plan(epoch, run, marksByRun.getOrDefault(run.id(), List.of()));
        if (plan.isPresent()) {
          plans.add(planned(run, plan.get()));
        } else {
          marksByRun.remove(run.id());
        }
      } catch (RuntimeException | OutOfMemoryError unplanned) {
        // The store or the memory failed, not the run: plan it later and the others now.
        log.atWarn().addKeyValue("run", run.id()).setCause(unplanned).log("run not planned now");
        postpone(epoch, marksByRun.getOrDefault(run.id(), List.of()));
        marksByRun.remove(run.id());
      }
    }
    apply(epoch, plans, marksByRun, budget);
  }

  /** A run that is unreadable, or too large to read with others, must not delay them. */
  private void advanceAlone(
      Epoch epoch, Map<RunId, List<Long>> marksByRun, Budget budget, Throwable unread) {
    if (marksByRun.size() == 1) {
      log.atError()
          .addKeyValue("run", marksByRun.keySet().iterator().next())
          .setCause(unread)
          .log("run cannot be read");
      marksByRun.values().forEach(marks -> postpone(epoch, marks));
      return;
    }
    log.atWarn()
        .addKeyValue("runs", marksByRun.size())
        .setCause(unread)
        .log("runs could not be read together, reading them one by one");
    boolean first = true;
    for (Map.Entry<RunId, List<Long>> one : marksByRun.entrySet()) {
      if (!first && budget.isSpent()) {
        return;
      }
      first = false;
      advance(epoch, new LinkedHashMap<>(Map.of(one.getKey(), one.getValue())), budget);
    }
  }

  private Plans.PlannedRun planned(StoredRun run, Plan plan) {
    List<TaskId> newTasks =
        Stream.generate(() -> new TaskId(ids.next())).limit(plan.creations().size()).toList();
    return new Plans.PlannedRun(run, plan, newTasks);
  }

  /**
   * Empty when the plan needs the value of an expression: the marks then stay until that plan is
   * written. A RuntimeException comes from the store. A run that exceeds the memory gets a few
   * tries, because others may be using it.
   */
  private Optional<Plan> plan(Epoch epoch, StoredRun run, List<Long> marks) {
    Graph graph;
    try {
      graph = workflows.graph(run.workflow());
    } catch (Graph.NotAGraph | StackOverflowError unplannable) {
      return Optional.of(abandon(run, unplannable));
    } catch (OutOfMemoryError tooLarge) {
      return Optional.of(abandonAtLast(run, tooLarge));
    }
    try {
      Optional<Plan> plan = Planner.planLiterals(graph, run.view());
      if (plan.isEmpty()) {
        evaluate(epoch, run, marks, graph);
      } else {
        exhausted.remove(run.id());
      }
      return plan;
    } catch (RuntimeException | StackOverflowError unplannable) {
      return Optional.of(abandon(run, unplannable));
    } catch (OutOfMemoryError tooLarge) {
      return Optional.of(abandonAtLast(run, tooLarge));
    }
  }

  private void evaluate(Epoch epoch, StoredRun run, List<Long> marks, Graph graph) {
    switch (pool.offer(epoch, run, marks, () -> planner.plan(graph, run.view()))) {
      case TAKEN, WAITS -> {}
      case REFUSED -> {
        refused += marks.size();
        postpone(epoch, marks);
      }
    }
  }

  /** Writes the pool's plans in the same way and under the same epoch lock as the others. */
  private void write(Epoch epoch, List<Made> made, Budget budget) {
    List<Plans.PlannedRun> plans = new ArrayList<>();
    Map<RunId, List<Long>> marksByRun = new LinkedHashMap<>();
    for (Made one : made) {
      try {
        plans.add(planned(one.run(), plan(one)));
        marksByRun.put(one.run().id(), one.marks());
      } catch (OutOfMemoryError unplanned) {
        log.atWarn().addKeyValue("run", one.run().id()).log("run not planned now");
        postpone(epoch, one.marks());
      }
    }
    if (!plans.isEmpty()) {
      apply(epoch, plans, marksByRun, budget);
    }
  }

  private Plan plan(Made made) {
    Plan plan = made.plan();
    if (plan != null) {
      exhausted.remove(made.run().id());
      return plan;
    }
    return switch (made.failure()) {
      case OutOfMemoryError tooLarge -> abandonAtLast(made.run(), tooLarge);
      case PlanPool.Stuck stuck -> {
        log.atError().addKeyValue("run", made.run().id()).log("run is stuck and is given up");
        yield Planner.abandon(made.run().view(), Planner.TOO_COSTLY + stuck.getMessage());
      }
      case null -> throw new IllegalStateException("neither a plan nor a failure");
      case Throwable unplannable -> abandon(made.run(), unplannable);
    };
  }

  private Plan abandonAtLast(StoredRun run, OutOfMemoryError tooLarge) {
    if (exhausted.size() >= EXHAUSTED_MAX) {
      exhausted.clear();
    }
    if (exhausted.merge(run.id(), 1, Integer::sum) < MEMORY_TRIES_MAX) {
      throw tooLarge;
    }
    exhausted.remove(run.id());
    return abandon(run, tooLarge);
  }

  private static Plan abandon(StoredRun run, Throwable unplannable) {
    log.atError()
        .addKeyValue("run", run.id())
        .setCause(unplannable)
        .log("run cannot be planned and is given up");
    return Planner.abandon(run.view(), "unplannable: " + why(unplannable));
  }

  private static String why(Throwable unplannable) {
    return switch (unplannable) {
      case StackOverflowError tooDeep -> "nested too deeply";
      case OutOfMemoryError tooLarge -> "needs more memory than there is";
      default -> String.valueOf(unplannable.getMessage());
    };
  }

  private void apply(
      Epoch epoch, List<Plans.PlannedRun> plans, Map<RunId, List<Long>> marksByRun, Budget budget) {
    try {
      List<Long> marks = marksByRun.values().stream().flatMap(List::stream).toList();
      hint(writer.apply(epoch, plans, marks));
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError together) {
      log.atWarn()
          .addKeyValue("runs", plans.size())
          .setCause(together)
          .log("plans could not be written together, writing them one by one");
      boolean first = true;
      for (Plans.PlannedRun plan : plans) {
        if (!first && budget.isSpent()) {
          return;
        }
        first = false;
        applyAlone(epoch, plan, marksByRun.getOrDefault(plan.run().id(), List.of()));
      }
    }
  }

  private void applyAlone(Epoch epoch, Plans.PlannedRun plan, List<Long> marks) {
    try {
      hint(writer.apply(epoch, List.of(plan), marks));
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError alone) {
      log.atError()
          .addKeyValue("run", plan.run().id())
          .setCause(alone)
          .log("plan could not be written");
      if (!isRefused(alone) || !abandonUnwritable(epoch, plan.run(), marks)) {
        postpone(epoch, marks);
      }
    }
  }

  private boolean isRefused(Throwable alone) {
    return switch (alone) {
      case RuntimeException failed -> writer.isRefused(failed);
      case StackOverflowError tooDeep -> true;
      default -> false;
    };
  }

  private boolean abandonUnwritable(Epoch epoch, StoredRun run, List<Long> marks) {
    try {
      Plan abandoned = Planner.abandon(run.view(), "unwritable");
      hint(writer.apply(epoch, List.of(planned(run, abandoned)), marks));
      return true;
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failed) {
      log.atError().addKeyValue("run", run.id()).setCause(failed).log("run could not be given up");
      return false;
    }
  }

  /** Marks that cannot be postponed stay in front for the next tick. */
  private void postpone(Epoch epoch, List<Long> marks) {
    try {
      writer.postpone(epoch, marks);
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException failed) {
      log.atWarn().addKeyValue("marks", marks.size()).setCause(failed).log("marks not postponed");
    }
  }

  /** The task queues in which tasks became eligible since the last call. */
  public Set<QueueId> drainQueues() {
    Set<QueueId> drained = new LinkedHashSet<>(queues);
    queues.clear();
    return drained;
  }

  private void hint(Plans.Applied applied) {
    queues.addAll(applied.queues());
    applied.toAbort().forEach(hints::mailbox);
    if (!applied.ended().isEmpty()) {
      hints.runEnded();
    }
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
