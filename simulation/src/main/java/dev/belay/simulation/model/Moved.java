package dev.belay.simulation.model;

import static java.util.Objects.requireNonNullElse;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.task.TaskState;
import dev.belay.simulation.model.Histories.Step;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A task that a result has moved.
 *
 * @param task in its new state
 * @param viaRunning it started and ended since the last write: two steps
 */
record Moved(TaskRow task, DispatchId dispatch, TaskState from, boolean viaRunning, Instant at) {

  private static final Comparator<Moved> BY_TASK = Comparator.comparing(moved -> moved.task().id);

  /**
   * Marks the runs of ended and of BLOCKED tasks, and writes the history.
   *
   * @return whether a run was marked
   */
  static boolean note(Tables tables, ModelStatement statement, List<Moved> all, String actor) {
    Set<RunId> runs = new LinkedHashSet<>();
    for (Moved moved : all) {
      TaskState state = moved.task().state;
      boolean planned = state.isTerminal() || state == TaskState.BLOCKED;
      if (moved.task().run != null && planned) {
        runs.add(moved.task().run);
      }
    }
    for (RunId run : runs) {
      tables.mark(statement, run);
    }
    all.stream().sorted(BY_TASK).forEach(moved -> moved.write(tables, statement, actor));
    return !runs.isEmpty();
  }

  /** The view history derives a start and the usual end. */
  private void write(Tables tables, ModelStatement statement, String actor) {
    if (viaRunning) {
      Instant started = requireNonNullElse(task.startedAt, at);
      tables.derived(
          statement, task, new Step(from, TaskState.RUNNING, "started", actor, dispatch, started));
    }
    TaskState last = viaRunning ? TaskState.RUNNING : from;
    var step = new Step(last, task.state, task.reason, actor, dispatch, at);
    if (task.state == TaskState.RUNNING || HistoryView.endedAsUsual(task)) {
      tables.derived(statement, task, step);
    } else {
      tables.stored(statement, task, step);
    }
  }

  /**
   * A time from a worker, limited to the range from {@code notBefore} to now. An unknown time is
   * now.
   */
  static Instant told(@Nullable Long atMs, Instant now, @Nullable Instant... notBefore) {
    Instant told = atMs == null ? now : Instant.ofEpochMilli(atMs);
    Instant latest = told.isAfter(now) ? now : told;
    for (Instant each : notBefore) {
      latest = each != null && each.isAfter(latest) ? each : latest;
    }
    return latest;
  }
}
