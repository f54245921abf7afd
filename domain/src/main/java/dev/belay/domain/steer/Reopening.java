package dev.belay.domain.steer;

import dev.belay.domain.plan.Retries;
import dev.belay.domain.task.TaskState;
import java.util.List;

/**
 * The tasks of a run that begin another generation.
 *
 * @param ended they become WAITING
 * @param waiting they stay WAITING; the new generation voids the plans that somebody has made for
 *     them and not yet written
 */
public record Reopening(List<RunTask> ended, List<RunTask> waiting) {

  public Reopening {
    ended = List.copyOf(ended);
    waiting = List.copyOf(waiting);
  }

  /**
   * Those among the selected tasks that a clear cannot reopen, because they are about to run, run,
   * or wait for a person: ending them is another request.
   */
  public static List<RunTask> inTheWay(List<RunTask> selected) {
    return selected.stream()
        .filter(task -> !task.state().isTerminal() && task.state() != TaskState.WAITING)
        .toList();
  }

  /**
   * All of the selected tasks run again.
   *
   * @param after everything after the selected tasks, selected or not
   */
  public static Reopening clear(List<RunTask> selected, List<RunTask> after) {
    return new Reopening(
        selected.stream().filter(task -> task.state().isTerminal()).toList(), waiting(after));
  }

  /** The task runs again, and what its end decided without running is decided again. */
  public static Reopening retry(RunTask task, List<RunTask> after) {
    return new Reopening(
        after.stream().filter(each -> each.equals(task) || wasDecided(each)).toList(),
        waiting(after));
  }

  /** The task gets another end, and what its end decided without running is decided again. */
  public static Reopening mark(RunTask task, List<RunTask> after) {
    List<RunTask> others = after.stream().filter(each -> !each.equals(task)).toList();
    // As long as the task itself is open, it has decided nothing.
    List<RunTask> decided =
        task.state().isTerminal()
            ? others.stream().filter(Reopening::wasDecided).toList()
            : List.<RunTask>of();
    return new Reopening(decided, waiting(others));
  }

  /** Whether a retry of this task makes sense. */
  public static boolean isRetried(TaskState state, boolean settled) {
    return state.isTerminal() && Retries.resets(state, settled);
  }

  private static boolean wasDecided(RunTask task) {
    return switch (task.state()) {
      case UPSTREAM_FAILED -> true;
      case SKIPPED -> !task.settled();
      case SUCCEEDED,
          FAILED,
          TIMEOUT,
          CANCELLED,
          DENIED,
          OUTPUT_QUARANTINED,
          WAITING,
          PENDING,
          APPROVAL_REQUIRED,
          SCHEDULED,
          DISPATCHED,
          RUNNING,
          DEFERRED,
          BLOCKED ->
          false;
    };
  }

  private static List<RunTask> waiting(List<RunTask> tasks) {
    return tasks.stream().filter(task -> task.state() == TaskState.WAITING).toList();
  }
}
