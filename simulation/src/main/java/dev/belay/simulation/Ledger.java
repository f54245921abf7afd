package dev.belay.simulation;

import static dev.belay.simulation.InvariantBroken.unless;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.agent.JournalEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ground truth, which no database has: which processes really ran, and who asked for what. */
final class Ledger {
  private record Recorded(String agent, DispatchId dispatch) {}

  private final Map<DispatchId, TaskId> opened = new HashMap<>();
  private final Set<DispatchId> live = new HashSet<>();
  private final Map<DispatchId, Integer> exits = new HashMap<>();
  private final Map<DispatchId, Finished> outcomes = new HashMap<>();
  private final Map<TaskId, Recorded> successes = new HashMap<>();
  private final Set<DispatchId> forgotten = new LinkedHashSet<>();
  private final Set<TaskId> tasksToCancel = new HashSet<>();
  private final Set<RunId> runsToCancel = new HashSet<>();

  void opened(DispatchId dispatch, TaskId task) {
    unless(opened.put(dispatch, task) == null, "dispatch " + dispatch + " was opened twice");
    for (var other : live) {
      unless(
          !task.equals(opened.get(other)),
          "task " + task + " runs twice at a time: " + other + " and " + dispatch);
    }
    var success = successes.get(task);
    unless(success == null, "task " + task + " runs again after its recorded success " + success);
    live.add(dispatch);
  }

  void exited(DispatchId dispatch, int code) {
    unless(live.remove(dispatch), "no process of " + dispatch + " to exit");
    exits.put(dispatch, code);
  }

  /** Its outcome is nobody's any more. */
  void killed(DispatchId dispatch) {
    live.remove(dispatch);
  }

  void recorded(String agent, JournalEntry entry) {
    switch (entry) {
      case JournalEntry.Prepared _, JournalEntry.Started _ -> {}
      case JournalEntry.Ended(var finished) -> {
        outcomes.put(entry.dispatch(), finished);
        var task = opened.get(entry.dispatch());
        if (task != null && finished.hasExit() && finished.getExit().getCode() == 0) {
          successes.put(task, new Recorded(agent, entry.dispatch()));
        }
      }
      case JournalEntry.Settled(var dispatch) -> forgotten.add(dispatch);
    }
  }

  /** What only this journal knew is known to nobody. */
  void journalLost(String agent) {
    successes.values().removeIf(success -> success.agent().equals(agent));
  }

  void cancelled(TaskId task) {
    tasksToCancel.add(task);
  }

  void cancelled(RunId run) {
    runsToCancel.add(run);
  }

  boolean wantedCancelled(TaskId task, @Nullable RunId run) {
    return tasksToCancel.contains(task) || (run != null && runsToCancel.contains(run));
  }

  boolean isLive(DispatchId dispatch) {
    return live.contains(dispatch);
  }

  int liveProcesses() {
    return live.size();
  }

  /** How its process really ended, if it ran and ended by itself. */
  Optional<Integer> exitOf(DispatchId dispatch, TaskId task) {
    return task.equals(opened.get(dispatch))
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
