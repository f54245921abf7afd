package dev.belay.simulation;

import static dev.belay.simulation.InvariantBroken.unless;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** What must be true after each step. Reads only what changed since the last look. */
final class Invariants {
  private static final String EXIT = "exit_code: ";

  private final Observed observed;
  private final Ledger ledger;
  private final Trace trace;
  private final Map<TaskId, TaskState> tasks = new HashMap<>();
  private final Map<RunId, RunState> runs = new HashMap<>();
  private long lastTaskChange;
  private long lastRunChange;

  Invariants(Observed observed, Ledger ledger, Trace trace) {
    this.observed = observed;
    this.ledger = ledger;
    this.trace = trace;
  }

  void check() {
    var taskChanges = observed.taskChangesAfter(lastTaskChange);
    var runChanges = observed.runChangesAfter(lastRunChange);
    checkTasks(taskChanges);
    checkRuns(runChanges);
    if (!taskChanges.isEmpty() || !runChanges.isEmpty()) {
      nothing("attempts and tasks disagree", observed.oddAttempts());
      nothing("a cancel is forgotten", observed.forgottenByCancel());
    }
    checkForgotten();
  }

  private void checkTasks(List<Observed.TaskChange> changes) {
    var changed = new LinkedHashSet<TaskId>();
    for (var change : changes) {
      lastTaskChange = Math.max(lastTaskChange, change.id());
      trace.say(
          "task",
          Trace.brief(change.task())
              + " "
              + change.from()
              + " -> "
              + change.to()
              + " "
              + change.reason());
      var before = tasks.put(change.task(), change.to());
      unless(before == change.from(), change + ", but it was " + before);
      unless(TaskTransitions.allows(change.from(), change.to()), "illegal: " + change);
      unless(before == null || !before.isTerminal(), "left its end: " + change);
      checkAgainstTruth(change);
      changed.add(change.task());
    }
    if (!changed.isEmpty()) {
      for (var now : observed.tasks(changed)) {
        var told = tasks.get(now.id());
        unless(now.state() == told, now + ", but its history says " + told);
      }
    }
  }

  private void checkAgainstTruth(Observed.TaskChange change) {
    var dispatch = change.dispatch();
    if (change.to() == TaskState.CANCELLED) {
      unless(ledger.wantedCancelled(change.task(), change.run()), "nobody asked: " + change);
    }
    if (change.to() == TaskState.SUCCEEDED) {
      unless(
          dispatch != null && ledger.exitOf(dispatch, change.task()).orElse(-1) == 0,
          "no process of it ended with 0: " + change);
    }
    if (dispatch == null || change.from() == TaskState.SCHEDULED) {
      return;
    }
    if (change.reason().startsWith(EXIT)) {
      int told = Integer.parseInt(change.reason().substring(EXIT.length()));
      var really = ledger.exitOf(dispatch, change.task());
      unless(really.orElse(-1) == told, "its process ended with " + really + ": " + change);
    }
    if (change.to() != TaskState.RUNNING) {
      unless(!ledger.isLive(dispatch), "its process still runs: " + change);
    }
  }

  private void checkRuns(List<Observed.RunChange> changes) {
    for (var change : changes) {
      lastRunChange = Math.max(lastRunChange, change.id());
      trace.say("run", Trace.brief(change.run()) + " " + change.from() + " -> " + change.to());
      var before = runs.put(change.run(), change.to());
      unless(before == change.from(), change + ", but it was " + before);
      unless(RunTransitions.allows(change.from(), change.to()), "illegal: " + change);
      unless(before == null || !before.isTerminal(), "left its end: " + change);
    }
  }

  /** What an agent forgot is over for the database, and how it ended is written there. */
  private void checkForgotten() {
    var forgotten = ledger.takeForgotten();
    if (forgotten.isEmpty()) {
      return;
    }
    var attempts = observed.attempts(forgotten);
    unless(attempts.size() == forgotten.size(), "forgotten and unknown: " + forgotten);
    for (var attempt : attempts) {
      unless(attempt.ended(), "forgotten, but not over: " + attempt);
      var outcome = ledger.outcomeOf(attempt.dispatch());
      if (outcome.isPresent() && outcome.get().hasExit()) {
        Integer code = outcome.get().getExit().getCode();
        unless(
            code.equals(attempt.exitCode()) || attempt.lateOutcome() != null,
            "forgotten, but its exit code " + code + " is not known: " + attempt);
      }
    }
  }

  private static void nothing(String what, List<String> found) {
    unless(found.isEmpty(), what + ": " + found);
  }

  int tasks() {
    return tasks.size();
  }

  int runs() {
    return runs.size();
  }
}
