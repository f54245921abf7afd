package dev.belay.simulation.model;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.simulation.model.Histories.Step;
import dev.belay.simulation.model.Histories.TaskChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Contradictions between the rows of a task, its past attempts and the log of its steps. Checks
 * only tasks that changed since the last {@link #refresh}.
 */
final class RowChecks {

  private final Tables tables;
  private final Map<RunId, TreeSet<TaskId>> tasks = new HashMap<>();
  private final Map<DispatchId, TaskId> taskOf = new HashMap<>();
  private final Map<TaskId, List<TaskChange>> logged = new HashMap<>();
  private final Map<TaskId, List<TaskChange>> storedEnds = new HashMap<>();
  private final TreeMap<TaskId, List<String>> oddAttempts = new TreeMap<>();
  private final TreeMap<TaskId, List<String>> oddHistories = new TreeMap<>();
  private int tasksSeen;
  private int pastSeen;
  private int logSeen;
  private int endsSeen;

  RowChecks(Tables tables) {
    this.tables = tables;
  }

  void refresh() {
    Set<TaskId> changed = new HashSet<>();
    for (; tasksSeen < tables.task.log.size(); tasksSeen++) {
      changed.add(noteTask(tables.task.log.get(tasksSeen)));
    }
    for (; pastSeen < tables.pastAttempt.log.size(); pastSeen++) {
      var key = tables.pastAttempt.log.get(pastSeen);
      taskOf.put(tables.pastAttempt.committed(key).orElseThrow().dispatch, key.task());
      changed.add(key.task());
    }
    for (; logSeen < tables.history.log.size(); logSeen++) {
      var change = tables.history.committed(tables.history.log.get(logSeen)).orElseThrow();
      logged.computeIfAbsent(change.task(), first -> new ArrayList<>()).add(change);
      changed.add(change.task());
    }
    for (; endsSeen < tables.storedEnd.log.size(); endsSeen++) {
      var end = tables.storedEnd.committed(tables.storedEnd.log.get(endsSeen)).orElseThrow();
      storedEnds.computeIfAbsent(end.task(), first -> new ArrayList<>()).add(end);
    }
    for (TaskId id : changed) {
      TaskRow task = tables.task.committed(id).orElseThrow();
      keep(oddAttempts, id, findOddAttempts(task));
      keep(oddHistories, id, findOddHistory(task));
    }
  }

  private TaskId noteTask(TaskId id) {
    TaskRow task = tables.task.committed(id).orElseThrow();
    if (task.run != null) {
      tasks.computeIfAbsent(task.run, first -> new TreeSet<>()).add(id);
    }
    if (task.dispatch != null) {
      taskOf.put(task.dispatch, id);
    }
    return id;
  }

  private static void keep(Map<TaskId, List<String>> odd, TaskId id, List<String> lines) {
    if (lines.isEmpty()) {
      odd.remove(id);
    } else {
      odd.put(id, lines);
    }
  }

  List<String> oddAttempts() {
    return oddAttempts.values().stream().flatMap(List::stream).toList();
  }

  List<String> oddHistories() {
    return oddHistories.values().stream().flatMap(List::stream).toList();
  }

  Collection<TaskId> tasksOf(RunId run) {
    return tasks.getOrDefault(run, new TreeSet<>());
  }

  Optional<AttemptRow> attempt(DispatchId dispatch) {
    TaskId task = taskOf.get(dispatch);
    return task == null
        ? Optional.empty()
        : attempts(tables.task.committed(task).orElseThrow()).stream()
            .filter(attempt -> attempt.dispatch.equals(dispatch))
            .findFirst();
  }

  /** The view attempt, for one task. */
  private List<AttemptRow> attempts(TaskRow task) {
    var attempts = past(task.id);
    if (task.dispatch != null) {
      attempts.add(new AttemptRow(task));
    }
    return attempts;
  }

  private List<AttemptRow> past(TaskId task) {
    var past = new ArrayList<AttemptRow>();
    for (NumberInTask key : tables.pastAttempts(task)) {
      tables.pastAttempt.committed(key).ifPresent(past::add);
    }
    return past;
  }

  private List<String> findOddAttempts(TaskRow task) {
    var lines = new ArrayList<String>();
    boolean open = task.dispatch != null && task.attemptEndedAt == null;
    if (open && !task.state.isActive()) {
      lines.add("attempt " + task.dispatch + " is open, task " + task.id + " is " + task.state);
    }
    if (!open && task.state.isActive()) {
      lines.add("task " + task.id + " is " + task.state + " without an open attempt");
    }
    var past = past(task.id);
    for (AttemptRow attempt : past) {
      if (attempt.endedAt == null) {
        lines.add("attempt " + attempt.dispatch + " is past and open");
      }
      if (attempt.dispatch.equals(task.dispatch)) {
        lines.add("attempt " + attempt.dispatch + " is past and current");
      }
    }
    int known = past.size() + (task.dispatch == null ? 0 : 1);
    if (known != task.fencingToken) {
      lines.add("task " + task.id + " has " + known + " of " + task.fencingToken + " attempts");
    }
    return lines;
  }

  private List<String> findOddHistory(TaskRow task) {
    List<TaskChange> log = logged.getOrDefault(task.id, List.of());
    List<Step> happened = log.stream().map(TaskChange::step).toList();
    var stored = new ArrayList<>(storedEnds.getOrDefault(task.id, List.of()));
    log.stream().filter(TaskChange::stored).forEach(stored::add);
    List<Step> shown = HistoryView.of(task, attempts(task), stored);
    return shown.equals(happened)
        ? List.of()
        : List.of("task " + task.id + " went through " + happened + ", shown as " + shown);
  }
}
