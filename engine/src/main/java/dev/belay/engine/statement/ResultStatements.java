package dev.belay.engine.statement;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.Tries;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes of results to tasks. */
public interface ResultStatements {

  /** The session that sent a result of an attempt. At most one session is bound to a dispatch. */
  record Speaker(AttemptKey attempt, WorkerId worker, SessionId session) {}

  /** Output that a worker lost: a fact about the attempt, independent of its outcome. */
  record LostOutput(AttemptKey attempt, WorkerId worker, long bytes) {}

  /** Each attempt once. Under the locks of the tasks. */
  void noteLostOutput(List<LostOutput> lost);

  /**
   * A start, or an end with success.
   *
   * @param afterStart the task must be RUNNING; else DISPATCHED
   * @param over the attempt ended, with success
   */
  record Usual(
      Speaker speaker,
      boolean afterStart,
      boolean over,
      Change.Times times,
      @Nullable String detail) {}

  /** Writes those whose task is in the expected state, without reading them first. */
  UsualWritten writeUsual(List<Usual> usual);

  /**
   * @param positions in the list that was given
   * @param marked a run was marked
   * @param topics of the tasks that succeeded, each as often as such tasks; without those that name
   *     only a pool
   */
  record UsualWritten(BitSet positions, boolean marked, List<String> topics) {}

  /** Locks the tasks; omits unknown ones. */
  Map<AttemptKey, LockedTask> lock(Collection<AttemptKey> attempts);

  /**
   * A task under its row lock, seen from one of its dispatches.
   *
   * @param worker of the current attempt; null without one
   * @param isCurrent the dispatch is the task's current one
   * @param attemptEnded the current attempt is already over
   * @param abort the request to end the current attempt, if there is one
   * @param topic null when it only names a pool
   */
  record LockedTask(
      TaskId id,
      TaskState state,
      @Nullable WorkerId worker,
      @Nullable SessionId session,
      boolean isCurrent,
      boolean attemptEnded,
      @Nullable Abort abort,
      Tries tried,
      @Nullable String topic) {}

  /** Omits tasks whose work cannot be read. */
  Map<TaskId, Work> readWorks(Collection<TaskId> tasks);

  /**
   * Changes locked tasks with their attempts, writes the history, and marks the runs of tasks that
   * ended or whose attempt was asked to end.
   *
   * @return how many were changed, and whether a run was marked
   */
  Changed change(List<Change> changes, String actor);

  record Changed(int count, boolean marked) {
    public static final Changed NOTHING = new Changed(0, false);
  }

  /** An outcome that arrived after the attempt was over. */
  record Late(AttemptKey attempt, String outcome) {}

  /**
   * Keeps the first late outcome of each attempt, for people. Each attempt once, because a
   * statement that names a row twice keeps either. Under the locks of the tasks.
   */
  void annotate(List<Late> late);
}
