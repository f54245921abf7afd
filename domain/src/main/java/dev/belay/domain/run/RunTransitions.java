package dev.belay.domain.run;

import static dev.belay.domain.run.RunState.CANCELLED;
import static dev.belay.domain.run.RunState.FAILED;
import static dev.belay.domain.run.RunState.QUEUED;
import static dev.belay.domain.run.RunState.RUNNING;
import static dev.belay.domain.run.RunState.SUCCEEDED;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one table of legal transitions of a run. */
public final class RunTransitions {

  /**
   * @param from null for the creation of the run
   * @param by the cause of the transition, for people
   */
  public record Edge(@Nullable RunState from, RunState to, String by) {}

  public static final List<Edge> EDGES =
      List.of(
          new Edge(null, QUEUED, "triggered"),
          new Edge(QUEUED, RUNNING, "its turn: its tasks are created, or go on after a retry"),
          new Edge(QUEUED, SUCCEEDED, "nothing needed to run"),
          new Edge(QUEUED, FAILED, "cannot be planned, or a leaf was marked FAILED"),
          new Edge(QUEUED, CANCELLED, "cancelled before it began"),
          new Edge(RUNNING, SUCCEEDED, "every leaf succeeded or was skipped"),
          new Edge(RUNNING, FAILED, "a leaf failed"),
          new Edge(RUNNING, CANCELLED, "cancelled"),
          new Edge(SUCCEEDED, QUEUED, "tasks cleared or marked by a person (new generation)"),
          new Edge(FAILED, QUEUED, "tasks cleared, retried or marked by a person (new generation)"),
          new Edge(
              CANCELLED, QUEUED, "tasks cleared, retried or marked by a person (new generation)"));

  private RunTransitions() {}

  public static boolean allows(@Nullable RunState from, RunState to) {
    return EDGES.stream().anyMatch(edge -> edge.from() == from && edge.to() == to);
  }

  /** Throws on a bug: callers consult this table before they write. */
  public static void require(@Nullable RunState from, RunState to) {
    if (!allows(from, to)) {
      throw new IllegalStateException("no transition from " + from + " to " + to);
    }
  }
}
