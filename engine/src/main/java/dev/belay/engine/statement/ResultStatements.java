package dev.belay.engine.statement;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.Tries;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes of results to tasks and attempts. */
public interface ResultStatements {

  /** The session that sent a result of a dispatch. At most one session is bound to a dispatch. */
  record Speaker(DispatchId dispatch, WorkerId worker, SessionId session) {}

  /** Output that a worker lost: a fact about the attempt, independent of its outcome. */
  record LostOutput(DispatchId dispatch, WorkerId worker, long bytes) {}

  void noteLostOutput(List<LostOutput> lost);

  /**
   * A start, or an end with success.
   *
   * @param afterStart the task must be RUNNING; else DISPATCHED
   * @param over the attempt ended, with success
   */
  record Usual(
      TaskId task,
      Speaker speaker,
      boolean afterStart,
      boolean over,
      Change.Times times,
      @Nullable String detail) {}

  /** Writes those whose task is in the expected state, without reading them first. */
  UsualWritten writeUsual(List<Usual> usual, String actor);

  /**
   * @param marked a run was marked
   */
  record UsualWritten(Set<Speaker> speakers, boolean marked) {
    public static final UsualWritten NOTHING = new UsualWritten(Set.of(), false);
  }

  /** Locks tasks and attempts by their dispatches; omits unknown ones. */
  Map<DispatchId, LockedTask> lock(Collection<DispatchId> dispatches);

  /**
   * A task under its row lock, seen from one of its dispatches.
   *
   * @param isCurrent the dispatch is the task's current one
   * @param ofGeneration it was claimed in the task's current generation: a retry keeps the dispatch
   * @param attemptEnded the attempt of this dispatch is already over
   */
  record LockedTask(
      TaskId id,
      TaskState state,
      WorkerId worker,
      SessionId session,
      boolean isCurrent,
      boolean ofGeneration,
      boolean attemptEnded,
      @Nullable String abortReason,
      Tries tried) {}

  /** Omits tasks whose work cannot be read. */
  Map<TaskId, Work> readWorks(Collection<TaskId> tasks);

  /**
   * Changes locked tasks and their attempts, marks the runs of ended tasks, writes the history.
   *
   * @return how many were changed, and whether a run was marked
   */
  Changed change(List<Change> changes, String actor);

  record Changed(int count, boolean marked) {
    public static final Changed NOTHING = new Changed(0, false);
  }

  /** An outcome that arrived after the attempt was over. */
  record Late(DispatchId dispatch, String outcome) {}

  /** Keeps the first late outcome of each attempt, for people. */
  void annotate(List<Late> late);
}
