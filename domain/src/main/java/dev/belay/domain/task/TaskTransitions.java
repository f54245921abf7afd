package dev.belay.domain.task;

import static dev.belay.domain.task.TaskState.APPROVAL_REQUIRED;
import static dev.belay.domain.task.TaskState.BLOCKED;
import static dev.belay.domain.task.TaskState.CANCELLED;
import static dev.belay.domain.task.TaskState.DEFERRED;
import static dev.belay.domain.task.TaskState.DENIED;
import static dev.belay.domain.task.TaskState.DISPATCHED;
import static dev.belay.domain.task.TaskState.FAILED;
import static dev.belay.domain.task.TaskState.OUTPUT_QUARANTINED;
import static dev.belay.domain.task.TaskState.PENDING;
import static dev.belay.domain.task.TaskState.RUNNING;
import static dev.belay.domain.task.TaskState.SCHEDULED;
import static dev.belay.domain.task.TaskState.SKIPPED;
import static dev.belay.domain.task.TaskState.SUCCEEDED;
import static dev.belay.domain.task.TaskState.TIMEOUT;
import static dev.belay.domain.task.TaskState.UPSTREAM_FAILED;
import static dev.belay.domain.task.TaskState.WAITING;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one table of legal transitions of a task. Every write checks it, and it generates {@code
 * docs/state-machines.md}.
 */
public final class TaskTransitions {

  /**
   * @param from null for the creation of the task
   * @param by the cause of the transition, for people
   */
  public record Edge(@Nullable TaskState from, TaskState to, String by) {}

  public static final List<Edge> EDGES = edges();

  private TaskTransitions() {}

  public static boolean allows(@Nullable TaskState from, TaskState to) {
    return EDGES.stream().anyMatch(edge -> edge.from() == from && edge.to() == to);
  }

  /**
   * Whether a step of the history is a remark: a person changed something else than the state, or
   * asked its attempt to end. Only an open task has remarks.
   */
  public static boolean isRemark(@Nullable TaskState from, TaskState to) {
    return from == to && !to.isTerminal();
  }

  /** Throws on a bug: callers consult this table before they write. */
  public static void require(@Nullable TaskState from, TaskState to) {
    if (!allows(from, to)) {
      throw new IllegalStateException("no transition from " + from + " to " + to);
    }
  }

  /** The states from which a write may lead to {@code to}: the guard of that write. */
  public static Set<TaskState> sourcesOf(TaskState to) {
    var sources = EnumSet.noneOf(TaskState.class);
    for (Edge edge : EDGES) {
      if (edge.to() == to && edge.from() != null && !isClear(edge)) {
        sources.add(edge.from());
      }
    }
    return Collections.unmodifiableSet(sources);
  }

  /** Where the last attempt is over and not replaced, so that its late success ends the task. */
  public static boolean isGivenUp(TaskState state) {
    return state == PENDING || state == SCHEDULED || state == BLOCKED;
  }

  /** Only a person clears a task; it raises the generation. */
  private static boolean isClear(Edge edge) {
    return edge.from() != null
        && edge.from().isTerminal()
        && (edge.to() == WAITING || edge.to() == PENDING);
  }

  private static List<Edge> edges() {
    var edges = new ArrayList<Edge>();
    from(edges, null, "created, waits for others", WAITING);
    from(edges, null, "created, awaits admission", PENDING);
    from(edges, null, "created and admitted", SCHEDULED);
    from(edges, null, "created, waits for a time", DEFERRED);
    from(edges, null, "created and already decided", SKIPPED, UPSTREAM_FAILED, FAILED, CANCELLED);

    from(edges, WAITING, "dependencies met, or passed by on the way to its mark", PENDING);
    from(edges, WAITING, "dependencies met and admitted", SCHEDULED);
    from(edges, WAITING, "dependencies met, waits for a time", DEFERRED);
    from(edges, WAITING, "trigger rule or condition says no", SKIPPED);
    from(edges, WAITING, "a dependency failed", UPSTREAM_FAILED);
    from(edges, WAITING, "its expressions have no value, or marked by a person", FAILED);
    from(edges, WAITING, "cancelled", CANCELLED);
    from(edges, WAITING, "deadline passed", TIMEOUT);

    from(edges, PENDING, "admitted, or its wait is over", SCHEDULED);
    from(edges, PENDING, "admitted, waits for a time", DEFERRED);
    from(edges, PENDING, "policy asks a person", APPROVAL_REQUIRED);
    from(edges, PENDING, "policy refuses", DENIED);
    from(edges, PENDING, "cancelled", CANCELLED);
    from(edges, PENDING, "skipped by a person", SKIPPED);
    from(edges, PENDING, "deadline passed", TIMEOUT);
    from(
        edges, PENDING, "could not be admitted, stopped by a limit, or marked by a person", FAILED);
    from(edges, PENDING, "needs a person, stopped by a limit, or blocked by a person", BLOCKED);
    from(edges, PENDING, "late result of the current dispatch, or marked by a person", SUCCEEDED);

    from(edges, APPROVAL_REQUIRED, "approved", PENDING);
    from(edges, APPROVAL_REQUIRED, "rejected", DENIED);
    from(edges, APPROVAL_REQUIRED, "cancelled", CANCELLED);
    from(edges, APPROVAL_REQUIRED, "skipped by a person", SKIPPED);
    from(edges, APPROVAL_REQUIRED, "deadline passed", TIMEOUT);
    from(edges, APPROVAL_REQUIRED, "stopped by a limit", FAILED);

    from(edges, SCHEDULED, "claimed for a worker", DISPATCHED);
    from(edges, SCHEDULED, "must be admitted again", PENDING);
    from(edges, SCHEDULED, "cancelled", CANCELLED);
    from(edges, SCHEDULED, "skipped by a person", SKIPPED);
    from(edges, SCHEDULED, "deadline passed", TIMEOUT);
    from(
        edges,
        SCHEDULED,
        "no place found for it, stopped by a limit, or marked by a person",
        FAILED);
    from(edges, SCHEDULED, "needs a person, stopped by a limit, or blocked by a person", BLOCKED);
    from(edges, SCHEDULED, "late result of the current dispatch, or marked by a person", SUCCEEDED);

    from(edges, DISPATCHED, "the worker started it", RUNNING);
    from(edges, DISPATCHED, "refused, drained or preempted before it started", SCHEDULED);
    from(edges, DISPATCHED, "lost or not startable, tried again", PENDING);
    from(edges, DISPATCHED, "lost or not startable, no tries left", FAILED);
    from(edges, DISPATCHED, "cancelled before it started", CANCELLED);
    from(edges, DISPATCHED, "deadline passed", TIMEOUT);
    from(edges, DISPATCHED, "stopped by a limit or a person", BLOCKED);
    from(edges, DISPATCHED, "marked by a person before it started", SUCCEEDED);

    from(edges, RUNNING, "exit code 0, or marked by a person", SUCCEEDED);
    from(edges, RUNNING, "failed, no tries left", FAILED);
    from(edges, RUNNING, "ran too long, no tries left", TIMEOUT);
    from(edges, RUNNING, "cancelled", CANCELLED);
    from(edges, RUNNING, "exit code that means skipped", SKIPPED);
    from(edges, RUNNING, "failed or lost, tried again", PENDING);
    from(edges, RUNNING, "preempted or drained: admission stands", SCHEDULED);
    from(edges, RUNNING, "what it needs stays unavailable, or stopped by a limit", BLOCKED);
    from(edges, RUNNING, "waits for a time or an event", DEFERRED);
    from(edges, RUNNING, "succeeded, output withheld", OUTPUT_QUARANTINED);

    from(edges, DEFERRED, "its wait is over", PENDING);
    from(edges, DEFERRED, "its wait was all there was to do", SUCCEEDED);
    from(edges, DEFERRED, "cancelled", CANCELLED);
    from(edges, DEFERRED, "skipped by a person", SKIPPED);
    from(edges, DEFERRED, "deadline passed", TIMEOUT);
    from(edges, DEFERRED, "its wait cannot end", FAILED);

    from(edges, BLOCKED, "resumed by a person", PENDING);
    from(edges, BLOCKED, "cancelled", CANCELLED);
    from(edges, BLOCKED, "skipped by a person", SKIPPED);
    from(edges, BLOCKED, "deadline passed", TIMEOUT);
    from(edges, BLOCKED, "stopped by a limit", FAILED);
    from(edges, BLOCKED, "late result of the current dispatch", SUCCEEDED);

    from(edges, SUCCEEDED, "output withheld after a scan", OUTPUT_QUARANTINED);
    from(edges, OUTPUT_QUARANTINED, "released by a person", SUCCEEDED);
    for (TaskState terminal : TaskState.TERMINAL) {
      from(
          edges,
          terminal,
          "cleared, retried or marked by a person (new generation)",
          WAITING,
          PENDING);
    }
    return List.copyOf(edges);
  }

  private static void from(
      List<Edge> edges, @Nullable TaskState from, String by, TaskState... targets) {
    for (TaskState to : targets) {
      edges.add(new Edge(from, to, by));
    }
  }
}
