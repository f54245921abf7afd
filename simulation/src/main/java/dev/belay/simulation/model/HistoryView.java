package dev.belay.simulation.model;

import static java.util.Objects.requireNonNull;

import dev.belay.domain.task.TaskState;
import dev.belay.simulation.model.Histories.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The view history: shows the steps of a task from its row, its attempts and its stored steps. */
final class HistoryView {

  static final String SUCCESS = "exit_code: 0";
  private static final String SUBMITTED = "submitted";
  private static final String WORKER = "worker";

  /** The steps since a claim, in this order. */
  private enum Kind {
    CREATED,
    CLAIMED,
    REMARKED_BEFORE_START,
    STARTED,
    STORED,
    ENDED
  }

  private record Line(long attempt, Kind kind, long id, Step step) {
    private static final Comparator<Line> ORDER =
        Comparator.comparingLong(Line::attempt)
            .thenComparing(Line::kind)
            .thenComparingLong(Line::id);
  }

  private HistoryView() {}

  /** Whether the row alone shows that its creation was a submit. */
  static boolean createdAsUsual(TaskRow task) {
    return task.state == TaskState.SCHEDULED && task.reason.equals(SUBMITTED);
  }

  /** Whether the row alone shows its end. */
  static boolean endedAsUsual(TaskRow task) {
    return task.state == TaskState.SUCCEEDED && task.reason.equals(SUCCESS);
  }

  /**
   * @param attempts all of the task, the current one too
   * @param stored its rows of the table step
   */
  static List<Step> of(
      TaskRow task, Collection<AttemptRow> attempts, Collection<Histories.TaskChange> stored) {
    var lines = new ArrayList<Line>();
    if (task.createdBy != null) {
      var created =
          new Step(null, TaskState.SCHEDULED, SUBMITTED, task.createdBy, null, task.createdAt);
      lines.add(new Line(0, Kind.CREATED, 0, created));
    }
    attempts.forEach(attempt -> addAttempt(lines, attempt));
    for (var change : stored) {
      lines.add(new Line(change.attempt(), kind(change.step()), change.id(), change.step()));
    }
    if (endedAsUsual(task)) {
      lines.add(new Line(task.fencingToken, Kind.ENDED, 0, usualEnd(task)));
    }
    return lines.stream().sorted(Line.ORDER).map(Line::step).toList();
  }

  /** The end that the row of a task shows. */
  static Step usualEnd(TaskRow task) {
    return new Step(
        TaskState.RUNNING,
        TaskState.SUCCEEDED,
        task.reason,
        WORKER,
        task.dispatch,
        requireNonNull(task.endedAt));
  }

  private static Kind kind(Step stored) {
    return stored.from() == TaskState.DISPATCHED && stored.to() == TaskState.DISPATCHED
        ? Kind.REMARKED_BEFORE_START
        : Kind.STORED;
  }

  private static void addAttempt(List<Line> lines, AttemptRow attempt) {
    var claimed =
        new Step(
            TaskState.SCHEDULED,
            TaskState.DISPATCHED,
            "claimed",
            "dispatcher",
            attempt.dispatch,
            attempt.dispatchedAt);
    lines.add(new Line(attempt.number, Kind.CLAIMED, 0, claimed));
    if (attempt.startedAt != null) {
      var started =
          new Step(
              TaskState.DISPATCHED,
              TaskState.RUNNING,
              "started",
              WORKER,
              attempt.dispatch,
              attempt.startedAt);
      lines.add(new Line(attempt.number, Kind.STARTED, 0, started));
    }
  }
}
