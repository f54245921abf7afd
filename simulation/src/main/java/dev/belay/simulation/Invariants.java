package dev.belay.simulation;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.simulation.Coverage.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the invariants after each step. Reads only what changed since the last check. */
final class Invariants {
  private static final String EXIT = "exit_code: ";
  private static final String UNAVAILABLE = "unavailable: exit_code ";
  private static final Set<String> LOSSES =
      Stream.of(
              RecoveryKind.AGENT_SILENT,
              RecoveryKind.DISPATCH_LOST,
              RecoveryKind.WORKER_RESTARTED,
              RecoveryKind.MACHINE_REBOOTED,
              RecoveryKind.WORKER_GONE,
              RecoveryKind.NOT_REPORTED)
          .map(RecoveryKind::reason)
          .collect(Collectors.toUnmodifiableSet());
  private static final String ORPHANED = RecoveryKind.ORPHAN_RUN.reason();

  /** Stalls from before the calm are not measured. */
  private static final Duration CALM_FOR = Duration.ofSeconds(60);

  /** Beyond the delay of the fastest message of a stream, which looks like a clock offset. */
  private static final Duration TIMES_OFF_MAX = Duration.ofSeconds(2);

  private final Observed observed;
  private final World world;
  private final Ledger ledger;
  private final Map<TaskId, TaskState> tasks = new HashMap<>();
  private final Map<RunId, RunState> runs = new HashMap<>();
  private final Generations generations = new Generations();
  private final Timers timers;
  private final Triggers triggers;
  private final Marks marks = new Marks();
  private final Upstreams upstreams;
  private final Chainings chainings;
  private final GivenUps givenUps;
  private final LimitWatch limits;
  private final List<TaskId> blocked = new ArrayList<>();
  private final List<TaskId> moved = new ArrayList<>();
  private final List<Observed.TaskChange> seen = new ArrayList<>();
  private long lastTaskChange;
  private long lastRunChange;
  private long lastRecovery;

  Invariants(Observed observed, World world) {
    this.observed = observed;
    this.world = world;
    this.ledger = world.ledger;
    this.timers = new Timers(world, CALM_FOR);
    this.triggers = new Triggers(observed.triggers(), world, CALM_FOR);
    this.upstreams = new Upstreams(observed);
    this.chainings = new Chainings(observed, world);
    this.givenUps = new GivenUps(observed, world);
    this.limits = new LimitWatch(observed, world);
  }

  /** Call after each step, before a check. */
  void noteTime() {
    if (world.scenario.hasLimits()) {
      limits.noteTime();
    }
  }

  void check() {
    var taskChanges = observed.taskChangesAfter(lastTaskChange);
    var runChanges = observed.runChangesAfter(lastRunChange);
    if (world.scenario.hasSchedules()) {
      triggers.check(runChanges);
    }
    if (world.scenario.hasLimits()) {
      limits.check(taskChanges);
    }
    checkTasks(taskChanges);
    checkRuns(runChanges);
    if (!taskChanges.isEmpty() || !runChanges.isEmpty()) {
      nothing(Invariant.ONE_DISPATCH, "attempts and tasks disagree: ", observed.oddAttempts());
      nothing(Invariant.DERIVED_HISTORY, "", observed.oddHistories());
      nothing(
          Invariant.NOTHING_ACKNOWLEDGED_LOST,
          "a cancel is forgotten: ",
          observed.forgottenByCancel());
      nothing(Invariant.LIMITS, "too many runs: ", observed.overLimit());
      nothing(Invariant.NO_WRITE_OF_THE_DEPOSED, "", observed.writesOfDeposed());
    }
    if (world.scenario.hasChains()) {
      chainings.check();
    }
    checkRecoveries();
    checkForgotten();
  }

  /** Runs that the end of another started. */
  int chainedRuns() {
    return chainings.runs();
  }

  /** The tasks that became BLOCKED since the last call: each waits for a person. */
  List<TaskId> takeBlocked() {
    var taken = List.copyOf(blocked);
    blocked.clear();
    return taken;
  }

  /** The tasks that changed since the last call, once for each change. */
  List<TaskId> takeMoved() {
    var taken = List.copyOf(moved);
    moved.clear();
    return taken;
  }

  /** What happened to tasks since the last call, without remarks. */
  List<Observed.TaskChange> takeSeen() {
    var taken = List.copyOf(seen);
    seen.clear();
    return taken;
  }

  private void checkTasks(List<Observed.TaskChange> changes) {
    var changed = new LinkedHashSet<TaskId>();
    for (var change : changes) {
      lastTaskChange = Math.max(lastTaskChange, change.id());
      tell(change);
      var before = tasks.put(change.task(), change.to());
      boolean remark = TaskTransitions.isRemark(change.from(), change.to());
      boolean legal =
          before == change.from() && (remark || TaskTransitions.allows(before, change.to()));
      boolean over = before != null && before.isTerminal();
      boolean reopened = ledger.wantedReopened(change.task(), change.run());
      checkChange(change, before, legal, over && !reopened);
      unless(
          marks.isKept(change),
          Invariant.MARKED_AS_ASKED,
          () -> "its attempt was asked to end for another state: " + change);
      if (!remark) {
        seen.add(change);
      }
      unless(
          generations.isOwn(change),
          Invariant.OWN_GENERATION,
          () -> "its dispatch is of an earlier generation: " + change);
      checkAgainstTruth(change);
      timers.check(change);
      givenUps.note(change);
      changed.add(change.task());
      if (change.to() == TaskState.BLOCKED) {
        blocked.add(change.task());
      }
      moved.add(change.task());
    }
    nothing(Invariant.AFTER_ITS_UPSTREAM, "too early: ", upstreams.tooEarly(changes));
    if (!changed.isEmpty()) {
      givenUps.check(changed);
      for (var now : observed.tasks(changed)) {
        int least = 1 + generations.of(now.id());
        unless(
            now.generation() >= least,
            Invariant.GENERATION_RISES,
            () -> now + ", but it was reopened " + (least - 1) + " times");
        var told = tasks.get(now.id());
        unless(
            now.state() == told,
            Invariant.LEGAL_HISTORY,
            () -> now + ", but its history says " + told);
        timers.note(now);
      }
    }
  }

  private void tell(Observed.TaskChange change) {
    world.coverage.count(Kind.TRANSITION, Expected.transition(change.from(), change.to()));
    world.coverage.count(Kind.REASON, Expected.reason(change.reason()));
    world.trace.record("task", "changes:", change.task(), change.to().name());
    if (world.trace.isRead()) {
      var dispatch = change.dispatch();
      var truth =
          dispatch == null
              ? ""
              : " of %s, which %s"
                  .formatted(
                      Trace.brief(dispatch), ledger.isLive(dispatch) ? "runs" : "does not run");
      world.trace.explain(
          "task",
          "%s %s -> %s (%s)%s"
              .formatted(
                  Trace.brief(change.task().value()),
                  change.from(),
                  change.to(),
                  change.reason(),
                  truth));
    }
  }

  private void checkAgainstTruth(Observed.TaskChange change) {
    var dispatch = change.dispatch();
    if (change.to() == TaskState.CANCELLED) {
      unless(
          ledger.wantedCancelled(change.task(), change.run())
              || change.reason().equals(ORPHANED)
              || limits.mayEnd(change),
          Invariant.CANCELLED_ONLY_IF_ASKED,
          () -> "nobody asked: " + change);
    }
    if (change.to() == TaskState.SUCCEEDED && change.from() != TaskState.DEFERRED) {
      boolean marked =
          change.reason().equals(Marks.SUCCEEDED)
              && ledger.wantedMarked(change.task(), TaskState.SUCCEEDED);
      unless(
          marked || (dispatch != null && ledger.exitOf(dispatch, change.task()).orElse(-1) == 0),
          Invariant.TRUE_END,
          () -> "no process of it ended with 0: " + change);
    }
    if (dispatch == null || change.from() == null || !change.from().isActive()) {
      return;
    }
    checkExitCode(change, dispatch, EXIT);
    checkExitCode(change, dispatch, UNAVAILABLE);
    if (!change.to().isActive()) {
      checkNotAlive(change, dispatch);
      checkAbort(change, dispatch);
    }
  }

  private void checkAbort(Observed.TaskChange change, DispatchId dispatch) {
    var stored = observed.attempts(List.of(dispatch)).getFirst().details().abortReason();
    ledger
        .abortOf(dispatch)
        .ifPresent(
            asked ->
                unless(
                    asked.word().equals(stored),
                    Invariant.FIRST_REASON_DECIDES,
                    () ->
                        "asked to end for %s, but it says %s: %s"
                            .formatted(asked, stored, change)));
    if (stored != null && change.to() != TaskState.SUCCEEDED) {
      unless(
          change.to() == AbortReason.of(stored).orElseThrow().leadsTo()
              && Expected.reason(change.reason()).equals(stored),
          Invariant.FIRST_REASON_DECIDES,
          () -> "it was asked to end for %s: %s".formatted(stored, change));
    }
  }

  private void checkExitCode(Observed.TaskChange change, DispatchId dispatch, String prefix) {
    if (change.reason().startsWith(prefix)) {
      var code = change.reason().substring(prefix.length()).split(";", -1)[0];
      int told = Integer.parseInt(code);
      var really = ledger.exitOf(dispatch, change.task());
      unless(
          really.orElse(-1) == told,
          Invariant.TRUE_END,
          () -> "its process ended with " + really + ": " + change);
    }
  }

  /** Only workers without recent signs lose attempts to the reaper. */
  private void checkNotAlive(Observed.TaskChange change, DispatchId dispatch) {
    ledger
        .runner(dispatch)
        .filter(holder -> holder.runs(dispatch))
        .ifPresent(
            holder ->
                unless(
                    !world.hearing.isHeard(holder.worker()),
                    Invariant.NO_END_OF_THE_LIVING,
                    () -> "its process runs on a worker that was just heard: " + change));
    if (LOSSES.contains(change.reason())) {
      ledger
          .witness(dispatch)
          .filter(holder -> holder.knowsEnd(dispatch))
          .ifPresent(
              holder ->
                  unless(
                      !world.hearing.isNew(holder.worker()),
                      Invariant.NO_END_OF_THE_LIVING,
                      () -> "a worker that just came is about to say how it ended: " + change));
    }
  }

  private static void checkChange(
      Object change, @Nullable Object before, boolean legal, boolean leavesItsEnd) {
    unless(legal, Invariant.LEGAL_HISTORY, () -> "illegal where it was " + before + ": " + change);
    unless(!leavesItsEnd, Invariant.TERMINAL_IS_FINAL, () -> "left its end: " + change);
  }

  private void checkRuns(List<Observed.RunChange> changes) {
    for (var change : changes) {
      lastRunChange = Math.max(lastRunChange, change.id());
      world.coverage.count(Kind.TRANSITION, Expected.transition(change.from(), change.to()));
      world.trace.say("run", "changes:", change.run(), change.to().name());
      var before = runs.put(change.run(), change.to());
      boolean legal = before == change.from() && RunTransitions.allows(before, change.to());
      boolean over = before != null && before.isTerminal();
      checkChange(change, before, legal, over && !ledger.wantedRetried(change.run()));
    }
  }

  private void checkRecoveries() {
    for (var recovery : observed.recoveriesAfter(lastRecovery)) {
      lastRecovery = Math.max(lastRecovery, recovery.id());
      world.coverage.count(Kind.RULE, recovery.kind().word());
      world.trace.say("reaper", "found by its rule", recovery.kind().word());
      var signed =
          Duration.ofNanos(world.scheduler.nanos())
              .minus(recovery.sinceLastSign())
              .minus(world.steppedBack());
      boolean inCalm =
          world.isCalm()
              && signed.compareTo(Duration.ofNanos(world.calmSince()).plus(CALM_FOR)) > 0;
      unless(
          !inCalm || recovery.sinceLastSign().compareTo(recovery.promised()) <= 0,
          Invariant.FOUND_IN_TIME,
          () -> "found late: " + recovery);
      checkEvident(recovery);
    }
  }

  /**
   * A stall that a replica saw and wrote is detected in time under any faults, except while no
   * replica could write. Rounds and elections are slower here than in production: {@link Rules}.
   */
  private void checkEvident(Observed.Recovery recovery) {
    unless(
        recovery.kind() != RecoveryKind.AGENT_CLOSED
            || !world.scenario.isHeardWell()
            || recovery.sinceLastSign().compareTo(recovery.promised().plus(Rules.TICK)) <= 0,
        Invariant.FOUND_IN_TIME,
        () -> "seen and written, and found late: " + recovery);
  }

  /** When an agent forgets a dispatch, the database has it as over, with its outcome. */
  private void checkForgotten() {
    if (!ledger.hasForgotten()) {
      return;
    }
    var forgotten = ledger.takeForgotten();
    var attempts = observed.attempts(forgotten);
    unless(
        attempts.size() == forgotten.size(),
        Invariant.NOTHING_ACKNOWLEDGED_LOST,
        () -> "forgotten and unknown: " + forgotten);
    for (var attempt : attempts) {
      unless(
          attempt.ended(),
          Invariant.NOTHING_ACKNOWLEDGED_LOST,
          () -> "forgotten, but not over: " + attempt);
      var outcome = ledger.outcomeOf(attempt.dispatch());
      if (outcome.isPresent() && outcome.get().hasExit()) {
        Integer code = outcome.get().getExit().getCode();
        unless(
            code.equals(attempt.exitCode()) || attempt.lateOutcome() != null,
            Invariant.NOTHING_ACKNOWLEDGED_LOST,
            () -> "forgotten, but its exit code " + code + " is not known: " + attempt);
        if (attempt.lateOutcome() == null) {
          checkTimes(attempt, outcome.get());
        }
      }
    }
  }

  private void checkTimes(Observed.Attempt attempt, Finished truth) {
    var started = SimulatedAgent.really(truth.getStartedAtMs());
    var ended = SimulatedAgent.really(truth.getEndedAtMs());
    var off = TIMES_OFF_MAX.plus(ledger.slownessOf(attempt.dispatch()));
    unless(
        !world.hasDatabaseTime()
            || (isAbout(attempt.startedAt(), started, off)
                && isAbout(attempt.endedAt(), ended, off)),
        Invariant.TRUE_TIMES,
        () -> "it ran from " + started + " to " + ended + ": " + attempt);
  }

  private static boolean isAbout(@Nullable Instant told, Instant really, Duration off) {
    return told != null && Duration.between(told, really).abs().compareTo(off) <= 0;
  }

  /** Every task of an answered submit exists. */
  void checkAccepted(List<TaskId> accepted) {
    unless(
        observed.tasks(accepted).size() == accepted.size(),
        Invariant.NOTHING_ACKNOWLEDGED_LOST,
        () -> "accepted and not there: " + accepted);
  }

  private static void nothing(Invariant invariant, String what, List<String> found) {
    unless(found.isEmpty(), invariant, () -> what + found);
  }

  static void unless(boolean holds, Invariant invariant, Supplier<String> message) {
    if (!holds) {
      throw new InvariantBroken(invariant, message.get());
    }
  }

  Triggers triggers() {
    return triggers;
  }

  int tasks() {
    return tasks.size();
  }

  int runs() {
    return runs.size();
  }
}
