package dev.belay.engine.plan;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Plan.Creation;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.runqueue.RunQueue;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.PlanStatements;
import dev.belay.engine.statement.PlanStatements.NewTask;
import dev.belay.engine.statement.PlanStatements.Start;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Writes plans under the epoch lock. Locks rows in the order workflows, tasks, runs. */
public final class PlanWriter implements Plans {

  private static final String ACTOR = "planner";

  private final Transactions transactions;
  private final QueueCatalog queues;
  private final Meters meters;

  public PlanWriter(Transactions transactions, QueueCatalog queues, Meters meters) {
    this.transactions = transactions;
    this.queues = queues;
    this.meters = meters;
  }

  @Override
  public Applied apply(Epoch epoch, List<PlannedRun> planned, Collection<Long> marks) {
    Applied applied =
        queues.store(
            queues(planned),
            ids -> transactions.asLeader(epoch, tables -> apply(tables, planned, ids, marks)));
    meters.happened(applied.effects());
    meters.tooCostly(tooCostly(planned));
    return applied;
  }

  /** Those of tasks that become ready. */
  private static Set<TaskQueue> queues(List<PlannedRun> planned) {
    Set<TaskQueue> queues = new LinkedHashSet<>();
    for (PlannedRun each : planned) {
      Stream.concat(
              each.plan().creations().stream().map(Creation::ready),
              each.plan().moves().stream().map(Move::ready))
          .map(ready -> ready == null ? null : ready.queue())
          .filter(Objects::nonNull)
          .forEach(queues::add);
    }
    return queues;
  }

  private static Applied apply(
      Statements statements,
      List<PlannedRun> planned,
      Map<TaskQueue, QueueId> queues,
      Collection<Long> marks) {
    var runQueue = RunQueue.of(statements, runs(planned, PlanWriter::startsOrEnds));
    Map<RunId, String> held = runQueue.held(runs(planned, PlanWriter::waitsForItsTurn));
    List<PlannedRun> plans =
        planned.stream().filter(plan -> !held.containsKey(plan.run().id())).toList();
    PlanStatements tasks = statements.plans();
    int created = insertTasks(tasks, plans, queues);
    ifAny(all(plans, Plan::deadlines), tasks::setDeadlines);
    Map<TaskId, TaskState> locked = lockTasks(tasks, plans);
    List<Move> moves = all(plans, Plan::moves);
    Set<TaskId> moved = moves.isEmpty() ? Set.of() : tasks.moveTasks(moves, queues, ACTOR);
    Set<WorkerId> toAbort = abortTasks(tasks, plans);
    Set<RunId> stale = new LinkedHashSet<>();
    int lost = 0;
    for (PlannedRun plan : plans) {
      int lostHere = lost(plan.plan(), moved, locked);
      if (lostHere > 0) {
        stale.add(plan.run().id());
        lost += lostHere;
      }
    }
    startRuns(tasks, plans);
    Map<RunId, RunState> ended = endRuns(tasks, ends(plans, stale), marks);
    tasks.deleteMarks(marks);
    ifAny(stale, tasks::mark);
    runQueue.hold(held);
    // If all runs were held, nothing changed that could release others.
    int released = plans.stream().anyMatch(PlanWriter::startsOrEnds) ? runQueue.release() : 0;
    var effects =
        new Effects(
            created,
            topicsCreated(plans),
            tasksEnded(plans, moved),
            Map.of(),
            runsEnded(ended),
            List.of(),
            Map.of(),
            List.of());
    return new Applied(
        effects, toAbort, ended, lost, released, new LinkedHashSet<>(queues.values()));
  }

  private static boolean startsOrEnds(PlannedRun planned) {
    return planned.run().view().state() == RunState.QUEUED || planned.plan().end() != null;
  }

  /** A run with a cancel request ends at once. */
  private static boolean waitsForItsTurn(PlannedRun planned) {
    var view = planned.run().view();
    return view.state() == RunState.QUEUED && view.ending() == null;
  }

  private static List<RunId> runs(List<PlannedRun> planned, Predicate<PlannedRun> which) {
    return planned.stream().filter(which).map(plan -> plan.run().id()).toList();
  }

  private static <T> List<T> all(List<PlannedRun> plans, Function<Plan, List<T>> part) {
    return plans.stream().flatMap(planned -> part.apply(planned.plan()).stream()).toList();
  }

  private static <T, C extends Collection<T>> void ifAny(
      C rows, java.util.function.Consumer<C> act) {
    if (!rows.isEmpty()) {
      act.accept(rows);
    }
  }

  private static Map<String, Integer> topicsCreated(List<PlannedRun> plans) {
    Map<String, Integer> topics = new HashMap<>();
    for (Creation creation : all(plans, Plan::creations)) {
      String topic = creation.task().queue().topic();
      if (topic != null) {
        topics.merge(topic, 1, Integer::sum);
      }
    }
    return topics;
  }

  private static int insertTasks(
      PlanStatements statements, List<PlannedRun> plans, Map<TaskQueue, QueueId> queues) {
    List<NewTask> rows = new ArrayList<>();
    for (PlannedRun planned : plans) {
      List<Creation> creations = planned.plan().creations();
      for (int i = 0; i < creations.size(); i++) {
        rows.add(
            new NewTask(
                planned.newTasks().get(i),
                planned.run().id(),
                planned.run().tenant(),
                creations.get(i)));
      }
    }
    return rows.isEmpty() ? 0 : statements.insertTasks(rows, queues, ACTOR);
  }

  /**
   * The current states of the tasks that the plans move or abort, fixed until this transaction
   * ends. Skipped when nothing is aborted, because a move locks and compares by itself.
   */
  private static Map<TaskId, TaskState> lockTasks(
      PlanStatements statements, List<PlannedRun> plans) {
    if (plans.stream().allMatch(planned -> planned.plan().aborts().isEmpty())) {
      return Map.of();
    }
    Set<TaskId> tasks = new LinkedHashSet<>();
    for (PlannedRun planned : plans) {
      planned.plan().moves().forEach(move -> tasks.add(move.id()));
      tasks.addAll(planned.plan().aborts());
    }
    return statements.lockTasks(tasks);
  }

  /** Tasks that were not in the state that the plan expected. */
  private static int lost(Plan plan, Set<TaskId> moved, Map<TaskId, TaskState> locked) {
    long moves = plan.moves().stream().filter(move -> !moved.contains(move.id())).count();
    long aborts =
        plan.aborts().stream()
            .map(locked::get)
            .filter(state -> state == null || !state.isActive())
            .count();
    return (int) (moves + aborts);
  }

  /** A run that is given up has no reason of its own: its tasks are cancelled. */
  private static Set<WorkerId> abortTasks(PlanStatements statements, List<PlannedRun> plans) {
    Map<AbortReason, List<TaskId>> aborts = new EnumMap<>(AbortReason.class);
    for (PlannedRun planned : plans) {
      List<TaskId> tasks = planned.plan().aborts();
      if (!tasks.isEmpty()) {
        AbortReason ending = planned.run().view().ending();
        aborts
            .computeIfAbsent(
                ending == null ? AbortReason.CANCELLED : ending, first -> new ArrayList<>())
            .addAll(tasks);
      }
    }
    Set<WorkerId> toAbort = new LinkedHashSet<>();
    aborts.forEach(
        (reason, tasks) -> toAbort.addAll(statements.abortTasks(tasks, Abort.of(reason, ACTOR))));
    return toAbort;
  }

  private static void startRuns(PlanStatements statements, List<PlannedRun> plans) {
    List<Start> starting =
        plans.stream()
            .filter(
                plan -> plan.run().view().state() == RunState.QUEUED && plan.plan().end() == null)
            .map(plan -> new Start(plan.run().id(), plan.plan().timeout()))
            .toList();
    if (!starting.isEmpty()) {
      statements.lockRuns(starting.stream().map(Start::run).toList());
      statements.startRuns(starting, ACTOR);
    }
  }

  /**
   * @param stale runs whose end was computed from an outdated state: they do not end now
   */
  private static Map<RunId, RunMove> ends(List<PlannedRun> plans, Set<RunId> stale) {
    Map<RunId, RunMove> ends = new LinkedHashMap<>();
    for (PlannedRun planned : plans) {
      RunMove end = planned.plan().end();
      if (end != null && !stale.contains(planned.run().id())) {
        ends.put(planned.run().id(), end);
      }
    }
    return ends;
  }

  private static Map<RunId, RunState> endRuns(
      PlanStatements statements, Map<RunId, RunMove> ends, Collection<Long> marks) {
    if (ends.isEmpty()) {
      return Map.of();
    }
    statements.lockRuns(ends.keySet());
    Set<RunId> written = statements.endRuns(ends, marks, ACTOR);
    Map<RunId, RunState> ended = new LinkedHashMap<>();
    ends.forEach(
        (run, end) -> {
          if (written.contains(run)) {
            ended.put(run, end.to());
          }
        });
    return ended;
  }

  private static Map<TaskState, Integer> tasksEnded(List<PlannedRun> plans, Set<TaskId> moved) {
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    for (PlannedRun planned : plans) {
      Stream.concat(
              planned.plan().creations().stream().map(Creation::state),
              planned.plan().moves().stream()
                  .filter(move -> moved.contains(move.id()))
                  .map(Move::to))
          .filter(TaskState::isTerminal)
          .forEach(state -> ended.merge(state, 1, Integer::sum));
    }
    return ended;
  }

  private static Map<RunState, Integer> runsEnded(Map<RunId, RunState> ended) {
    Map<RunState, Integer> states = new EnumMap<>(RunState.class);
    ended.values().forEach(state -> states.merge(state, 1, Integer::sum));
    return states;
  }

  private static int tooCostly(List<PlannedRun> planned) {
    return (int)
        planned.stream()
            .map(PlannedRun::plan)
            .flatMap(
                plan ->
                    Stream.of(
                            plan.creations().stream().map(Creation::reason),
                            plan.moves().stream().map(Move::reason),
                            Stream.ofNullable(plan.end()).map(RunMove::reason))
                        .flatMap(reasons -> reasons))
            .filter(reason -> reason.startsWith(Planner.TOO_COSTLY))
            .count();
  }

  @Override
  public void postpone(Epoch epoch, Collection<Long> marks) {
    transactions.<Integer>asLeader(
        epoch,
        statements -> {
          statements.plans().postpone(marks);
          return marks.size();
        });
  }

  @Override
  public boolean isRefused(RuntimeException failure) {
    return transactions.isRefused(failure);
  }
}
