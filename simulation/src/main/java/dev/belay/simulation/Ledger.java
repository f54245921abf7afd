package dev.belay.simulation;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.agent.JournalEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The ground truth, which no database has: the processes that really ran, and all requests. */
final class Ledger {

  /** The worker that a dispatch was given to, in its current state. */
  interface Holder {
    WorkerId worker();

    /** Its current process started the dispatch, is awake, and the dispatch still runs. */
    boolean runs(DispatchId dispatch);

    /** It is awake and has an unsettled outcome of the dispatch. */
    boolean knowsEnd(DispatchId dispatch);
  }

  /** One start of a process. */
  private record Execution(DispatchId dispatch, TaskId task, boolean strict, Holder holder) {}

  private final Map<DispatchId, Execution> opened = new HashMap<>();
  private final Map<DispatchId, Holder> ended = new HashMap<>();
  private final Map<TaskId, List<Execution>> live = new HashMap<>();
  private final Map<DispatchId, Integer> exits = new HashMap<>();
  private final Map<DispatchId, Finished> outcomes = new HashMap<>();
  private final Map<DispatchId, Duration> slowness = new HashMap<>();
  private final Set<DispatchId> forgotten = new LinkedHashSet<>();
  private final Map<DispatchId, AbortReason> aborts = new HashMap<>();
  private final Set<TaskId> tasksToCancel = new HashSet<>();
  private final Set<RunId> runsToCancel = new HashSet<>();
  private final Set<BackfillId> backfillsToCancel = new HashSet<>();
  private final Set<RunId> runsToRetry = new HashSet<>();
  private final Set<TaskId> steered = new HashSet<>();
  private final Map<TaskId, Set<TaskState>> marks = new HashMap<>();
  private Predicate<DispatchId> overInDatabase = dispatch -> true;
  private Function<RunId, Optional<BackfillId>> backfillOf = run -> Optional.empty();

  /** Sets how to ask the database whether an attempt is over. */
  void askWith(Predicate<DispatchId> question) {
    overInDatabase = question;
  }

  /** Sets how to ask the database for the backfill of a run. */
  void askForBackfillsWith(Function<RunId, Optional<BackfillId>> question) {
    backfillOf = question;
  }

  void opened(DispatchId dispatch, TaskId task, boolean strict, Holder holder) {
    var execution = new Execution(dispatch, task, strict, holder);
    if (opened.put(dispatch, execution) != null) {
      throw new InvariantBroken(
          Invariant.STARTED_ONCE, "dispatch " + dispatch + " was started twice");
    }
    var others = live.computeIfAbsent(task, first -> new ArrayList<>());
    for (var other : others) {
      var both = "task " + task + " runs as " + other.dispatch() + " and as " + dispatch;
      if (strict) {
        throw new InvariantBroken(Invariant.STRICT_ALONE, both);
      }
      if (!overInDatabase.test(other.dispatch()) && !overInDatabase.test(dispatch)) {
        throw new InvariantBroken(Invariant.NO_NEEDLESS_OVERLAP, both + ", of which none is lost");
      }
    }
    others.add(execution);
  }

  void exited(DispatchId dispatch, int code) {
    if (!killed(dispatch)) {
      throw new InvariantBroken("no process of " + dispatch + " to exit");
    }
    exits.put(dispatch, code);
  }

  /** Its outcome is lost; false when it did not run. */
  boolean killed(DispatchId dispatch) {
    var execution = opened.get(dispatch);
    var alive = execution == null ? null : live.get(execution.task());
    return alive != null && alive.remove(execution);
  }

  void recorded(Holder by, JournalEntry entry) {
    switch (entry) {
      case JournalEntry.Prepared _, JournalEntry.Started _ -> {}
      case JournalEntry.Ended(var finished) -> {
        outcomes.put(entry.dispatch(), finished);
        ended.put(entry.dispatch(), by);
      }
      case JournalEntry.Settled(var dispatch) -> forgotten.add(dispatch);
    }
  }

  /**
   * A server heard of its start or end.
   *
   * @param fastest the delay of the fastest message of that stream so far
   */
  void told(DispatchId dispatch, Duration fastest) {
    slowness.merge(dispatch, fastest, (a, b) -> a.compareTo(b) > 0 ? a : b);
  }

  /** By so much its times in the database may be late. */
  Duration slownessOf(DispatchId dispatch) {
    return slowness.getOrDefault(dispatch, Duration.ZERO);
  }

  /** The disk lost its outcome. */
  void unrecorded(DispatchId dispatch) {
    outcomes.remove(dispatch);
    ended.remove(dispatch);
  }

  /** The control plane has confirmed the first request to end this attempt. */
  void aborted(DispatchId dispatch, AbortReason reason) {
    aborts.put(dispatch, reason);
  }

  Optional<AbortReason> abortOf(DispatchId dispatch) {
    return Optional.ofNullable(aborts.get(dispatch));
  }

  void cancelled(TaskId task) {
    tasksToCancel.add(task);
  }

  void cancelled(RunId run) {
    runsToCancel.add(run);
  }

  void cancelled(BackfillId backfill) {
    backfillsToCancel.add(backfill);
  }

  boolean wantedCancelled(BackfillId backfill) {
    return backfillsToCancel.contains(backfill);
  }

  void retried(RunId run) {
    runsToRetry.add(run);
  }

  /** Somebody asks for something that may reopen the task, and others of its run. */
  void steered(TaskId task, @Nullable RunId run) {
    steered.add(task);
    if (run != null) {
      runsToRetry.add(run);
    }
  }

  void marked(TaskId task, TaskState as) {
    marks.computeIfAbsent(task, first -> EnumSet.noneOf(TaskState.class)).add(as);
  }

  boolean wantedMarked(TaskId task, TaskState as) {
    return marks.getOrDefault(task, Set.of()).contains(as);
  }

  boolean wantedReopened(TaskId task, @Nullable RunId run) {
    return steered.contains(task) || wantedRetried(run);
  }

  boolean wantedRetried(@Nullable RunId run) {
    return run != null && runsToRetry.contains(run);
  }

  boolean wantedCancelled(TaskId task, @Nullable RunId run) {
    return tasksToCancel.contains(task)
        || (run != null && (runsToCancel.contains(run) || isOfCancelledBackfill(run)));
  }

  private boolean isOfCancelledBackfill(RunId run) {
    return !backfillsToCancel.isEmpty()
        && backfillOf.apply(run).filter(backfillsToCancel::contains).isPresent();
  }

  boolean isLive(DispatchId dispatch) {
    var execution = opened.get(dispatch);
    var alive = execution == null ? null : live.get(execution.task());
    return alive != null && alive.contains(execution);
  }

  /** The worker that runs it, if it runs. */
  Optional<Holder> runner(DispatchId dispatch) {
    return isLive(dispatch)
        ? Optional.ofNullable(opened.get(dispatch)).map(Execution::holder)
        : Optional.empty();
  }

  /** The worker that has recorded its outcome, if any. */
  Optional<Holder> witness(DispatchId dispatch) {
    return Optional.ofNullable(ended.get(dispatch));
  }

  int liveProcesses() {
    return live.values().stream().mapToInt(List::size).sum();
  }

  /** The true exit code of its process, if it ran and ended by itself. */
  Optional<Integer> exitOf(DispatchId dispatch, TaskId task) {
    var execution = opened.get(dispatch);
    return execution != null && execution.task().equals(task)
        ? Optional.ofNullable(exits.get(dispatch))
        : Optional.empty();
  }

  Optional<Finished> outcomeOf(DispatchId dispatch) {
    return Optional.ofNullable(outcomes.get(dispatch));
  }

  boolean hasForgotten() {
    return !forgotten.isEmpty();
  }

  /** The dispatches that agents forgot since the last call. */
  Set<DispatchId> takeForgotten() {
    var taken = new LinkedHashSet<>(forgotten);
    forgotten.clear();
    return taken;
  }
}
