package dev.belay.engine.reap;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.reap.LivenessVerdict;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.admit.Promotion;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.ReapReads.ActiveTask;
import dev.belay.engine.port.ReapReads.Due;
import dev.belay.engine.port.ReapReads.Orphan;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.result.ResultWriter;
import dev.belay.engine.runqueue.RunQueue;
import dev.belay.engine.statement.ReapStatements;
import dev.belay.engine.statement.ReapStatements.Found;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Ends tasks and runs that no other component ends. Each write takes the epoch lock, checks the
 * judgement again under row locks, and records the recovery. For the reaper's thread.
 */
public class ReapWriter {

  static final String WORKER_LOST = "worker_lost";

  private static final String ACTOR = "reaper";

  private final Transactions transactions;
  private final ReapReads reads;
  private final ResultWriter results;
  private final ReapSettings settings;
  private final Promises promises;
  private final Meters meters;
  private final Consumer<List<DispatchId>> over;

  /** Calls that the last look ruled out. Each entry is used once. */
  private final Set<Due> spared = EnumSet.noneOf(Due.class);

  /**
   * @param over hears of the dispatches that it has ended, after the commit
   */
  public ReapWriter(
      Transactions transactions,
      ReapReads reads,
      ResultWriter results,
      ReapSettings settings,
      Promises promises,
      Meters meters,
      Consumer<List<DispatchId>> over) {
    this.transactions = transactions;
    this.reads = reads;
    this.results = results;
    this.settings = settings;
    this.promises = promises;
    this.meters = meters;
    this.over = over;
  }

  /**
   * Begins a round: checks once for anything to expire or replay, and spares the calls of the round
   * that would find nothing. Later arrivals wait for the next round.
   */
  public void look() {
    spared.clear();
    Set<Due> due = reads.readDue();
    for (Due each : Due.values()) {
      if (!due.contains(each)) {
        spared.add(each);
      }
    }
  }

  /** An attempt to end as lost. */
  public record Ending(ActiveTask task, LivenessVerdict.End end) {

    /** The same as a worker's result. */
    WorkerEvent.Ended lost() {
      return WorkerEvent.Ended.of(
          task.worker(),
          task.session(),
          task.dispatch(),
          task.task(),
          new Outcome.Lost(end.kind().reason(), end.mayRunOn()));
    }
  }

  /**
   * @param reasons how many attempts ended, by reason
   * @param runsChanged a run was marked, or a task waits for a time
   */
  public record Ended(Map<String, Integer> reasons, boolean runsChanged) {
    public static final Ended NOTHING = new Ended(Map.of(), false);

    public int count() {
      return reasons.values().stream().mapToInt(Integer::intValue).sum();
    }

    Ended and(Ended other) {
      Map<String, Integer> sum = new TreeMap<>(reasons);
      other.reasons.forEach((reason, count) -> sum.merge(reason, count, Integer::sum));
      return new Ended(sum, runsChanged || other.runsChanged);
    }
  }

  private record Done(Ended ended, List<DispatchId> over, Effects effects) {
    static final Done NOTHING = new Done(Ended.NOTHING, List.of(), Effects.NONE);
  }

  /**
   * Ends attempts as lost. Reads each again under its lock and skips it if it changed, or if its
   * worker gave a sign since.
   *
   * @param witnesses of the workers that exist
   */
  public Ended end(Epoch epoch, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    Done done = transactions.asLeader(epoch, statements -> end(statements, endings, witnesses));
    over.accept(done.over());
    meters.happened(done.effects());
    return done.ended();
  }

  private Done end(Statements statements, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    Set<WorkerId> stirred = stirred(statements.reap(), endings, witnesses);
    Map<DispatchId, Ending> still = new HashMap<>();
    List<WorkerEvent.Ended> lost = new ArrayList<>();
    for (Ending ending : endings) {
      if (!stirred.contains(ending.task().worker())) {
        still.put(ending.task().dispatch(), ending);
        lost.add(ending.lost());
      }
    }
    if (lost.isEmpty()) {
      return Done.NOTHING;
    }
    ResultWriter.GivenUp given = results.giveUp(statements, lost, ACTOR);
    List<Recovered> recovered = new ArrayList<>();
    Map<String, Integer> reasons = new TreeMap<>();
    for (WorkerEvent.Ended applied : given.applied()) {
      Ending ending = still.get(applied.dispatch());
      if (ending != null) {
        recovered.add(recovered(ending));
        reasons.merge(ending.end().kind().reason(), 1, Integer::sum);
      }
    }
    statements.recoveries().record(recovered);
    return new Done(
        new Ended(reasons, given.planSoon()),
        given.applied().stream().map(WorkerEvent.Ended::dispatch).toList(),
        Effects.ended(given.ended(), recovered)
            .ofTopics(given.topics())
            .withAlerts(given.alerts())
            .withDeadLetters(given.deadLetters()));
  }

  /** Workers with a sign since their judgement; locks keep the rest still until the commit. */
  private Set<WorkerId> stirred(
      ReapStatements statements, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    Set<WorkerId> workers = new LinkedHashSet<>();
    endings.forEach(ending -> workers.add(ending.task().worker()));
    Map<WorkerId, Witness> now = statements.lockWorkers(workers);
    workers.removeIf(
        worker ->
            isStill(
                Optional.ofNullable(witnesses.get(worker)), Optional.ofNullable(now.get(worker))));
    return workers;
  }

  /** Whether no sign came since. The simulation's sabotage always assumes so. */
  protected boolean isStill(Optional<Witness> judged, Optional<Witness> now) {
    return judged.equals(now);
  }

  private Recovered recovered(Ending ending) {
    RecoveryKind kind = ending.end().kind();
    return new Recovered(
        kind,
        ending.task().task(),
        null,
        ending.task().dispatch(),
        ending.task().worker(),
        ending.end().sinceSign(),
        promises.of(kind));
  }

  /**
   * @param ended tasks that are over
   * @param aborted attempts that were asked to end
   * @param toTell workers whose mailboxes changed
   */
  public record Expired(int ended, int aborted, Set<WorkerId> toTell) {
    public int count() {
      return ended + aborted;
    }
  }

  /** Ends idle tasks past their deadline and asks active ones to end. */
  public Expired expireDeadlines(Epoch epoch, int max) {
    if (spared.remove(Due.DEADLINE)) {
      return new Expired(0, 0, Set.of());
    }
    RecoveryKind kind = RecoveryKind.DEADLINE_PASSED;
    List<Found> idle =
        found(epoch, kind, statements -> statements.reap().expireDeadlines(max, ACTOR));
    List<Found> active =
        found(epoch, kind, statements -> statements.reap().abortOverdue(max, ACTOR));
    return new Expired(idle.size(), active.size(), workers(active));
  }

  /** Asks attempts to end that run beyond the limit on running. */
  public Expired endLongRunning(Epoch epoch, int max) {
    List<Found> active =
        found(
            epoch,
            RecoveryKind.RUNNING_TOO_LONG,
            statements ->
                statements.reap().abortLongRunning(settings.waits().running(), max, ACTOR));
    return new Expired(0, active.size(), workers(active));
  }

  /** Passes PENDING tasks that could have moved through admission again. */
  public int replayPending(Epoch epoch, int max) {
    return spared.remove(Due.PENDING)
        ? 0
        : found(epoch, RecoveryKind.PENDING_REPLAYED, statements -> replayPending(statements, max))
            .size();
  }

  private List<Found> replayPending(Statements statements, int max) {
    Map<TaskId, Duration> stuck = new LinkedHashMap<>();
    statements
        .admission()
        .lockStuck(settings.waits().pending(), max)
        .forEach(one -> stuck.put(one.task(), one.sinceMovable()));
    Set<TaskId> moved =
        Promotion.admit(statements, stuck.keySet(), RecoveryKind.PENDING_REPLAYED.reason(), ACTOR);
    stuck.keySet().retainAll(moved);
    return stuck.entrySet().stream()
        .map(one -> new Found(one.getKey(), null, null, one.getValue(), null))
        .toList();
  }

  /** Ends tasks that waited too long for a person or an event. */
  public int expireWaits(Epoch epoch, int max) {
    ReapSettings.Waits waits = settings.waits();
    return spared.remove(Due.WAIT)
        ? 0
        : found(
                epoch,
                RecoveryKind.WAIT_EXPIRED,
                statements ->
                    statements.reap().expireWaits(waits.approval(), waits.deferral(), max, ACTOR))
            .size();
  }

  /** Runs a statement that ends, aborts or moves tasks, and records each. */
  private List<Found> found(
      Epoch epoch, RecoveryKind kind, Function<Statements, List<Found>> statement) {
    List<Found> found =
        transactions.asLeader(
            epoch,
            statements -> {
              List<Found> rows = statement.apply(statements);
              statements.recoveries().record(recovered(kind, rows));
              return rows;
            });
    Map<TaskState, Integer> ended = new EnumMap<>(TaskState.class);
    for (Found one : found) {
      if (one.endedAs() != null) {
        ended.merge(one.endedAs(), 1, Integer::sum);
      }
    }
    meters.happened(Effects.ended(ended, recovered(kind, found)));
    return found;
  }

  private List<Recovered> recovered(RecoveryKind kind, List<Found> found) {
    return found.stream()
        .map(
            row ->
                new Recovered(
                    kind,
                    row.task(),
                    null,
                    row.dispatch(),
                    row.worker(),
                    row.sinceSign(),
                    promises.of(kind)))
        .toList();
  }

  private static Set<WorkerId> workers(List<Found> found) {
    Set<WorkerId> workers = new HashSet<>();
    for (Found one : found) {
      if (one.worker() != null) {
        workers.add(one.worker());
      }
    }
    return workers;
  }

  /** Plans it again, or fails it when that had no effect; false when it made progress meanwhile. */
  public boolean treatOrphan(Epoch epoch, Orphan orphan) {
    try {
      Optional<Effects> effects =
          transactions.asLeader(
              epoch,
              statements ->
                  orphan.replanned()
                      ? Optional.of(fail(statements, orphan.run()))
                      : replan(statements, orphan.run()));
      effects.ifPresent(meters::happened);
      return effects.isPresent();
    } catch (GoesOn meanwhile) {
      return false;
    }
  }

  private Optional<Effects> replan(Statements statements, RunId run) {
    return statements
        .reap()
        .noteOrphan(run)
        .map(
            quiet -> {
              RecoveryKind kind = RecoveryKind.ORPHAN_RUN;
              var noted =
                  List.of(new Recovered(kind, null, run, null, null, quiet, promises.of(kind)));
              statements.recoveries().record(noted);
              return Effects.ended(Map.of(), noted);
            });
  }

  /** Cancels the run's waiting tasks and fails it, because the planner cannot decide it. */
  private Effects fail(Statements statements, RunId run) {
    RunQueue runQueue = RunQueue.of(statements, List.of(run));
    statements.taskSteer().lockTasksOfRun(run);
    // Check again under the locks of its tasks: earlier reads may be outdated.
    if (!statements.reap().isOrphan(run, settings.waits().orphan())) {
      throw new GoesOn();
    }
    int cancelled = statements.reap().cancelOrphans(run, ACTOR);
    for (RunState from : List.of(RunState.QUEUED, RunState.RUNNING)) {
      var end = new RunMove(from, RunState.FAILED, RecoveryKind.ORPHAN_RUN.reason());
      if (!statements.plans().endRuns(Map.of(run, end), null, ACTOR).isEmpty()) {
        runQueue.release();
        Map<TaskState, Integer> tasks =
            cancelled == 0 ? Map.of() : Map.of(TaskState.CANCELLED, cancelled);
        return new Effects(
            0,
            Map.of(),
            tasks,
            Map.of(),
            Map.of(RunState.FAILED, 1),
            List.of(),
            Map.of(),
            List.of());
      }
    }
    throw new GoesOn();
  }

  /** The run is no orphan any more: rolls back what was written about it. */
  private static final class GoesOn extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Raises an alert for a person. */
  public void alert(Epoch epoch, String kind, String detail) {
    if (transactions.asLeader(epoch, statements -> statements.reap().alert(kind, detail))) {
      meters.alerted(kind, 1);
    }
  }

  /** Raises an alert for each of these workers, unless there is one since its last sign. */
  public void alertLost(Epoch epoch, Set<WorkerId> workers) {
    int raised = transactions.asLeader(epoch, statements -> statements.reap().alertLost(workers));
    meters.alerted(WORKER_LOST, raised);
  }
}
