package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.Outcome;

/**
 * A fact about a dispatch, written by compare-and-set on (dispatch, session, active state).
 *
 * <p>{@code session} is the session that the dispatch is bound to. It is older than the sender's
 * when a restarted worker delivers an outcome or loss of its past.
 *
 * <p>{@code task} finds the row. The agent may have named a wrong one, so the write compares the
 * dispatch too.
 */
public sealed interface WorkerEvent {

  WorkerId worker();

  SessionId session();

  DispatchId dispatch();

  TaskId task();

  record Started(WorkerId worker, SessionId session, DispatchId dispatch, TaskId task, long atMs)
      implements WorkerEvent {}

  /**
   * The attempt is over or will never run: its worker reported the end or refused it, or it is
   * lost.
   *
   * @param startTold an earlier event reported its start
   */
  record Ended(
      WorkerId worker,
      SessionId session,
      DispatchId dispatch,
      TaskId task,
      boolean startTold,
      Outcome outcome,
      Execution execution)
      implements WorkerEvent {

    /** For an attempt that did not run, or without further details. */
    public static Ended of(
        WorkerId worker, SessionId session, DispatchId dispatch, TaskId task, Outcome outcome) {
      return new Ended(worker, session, dispatch, task, false, outcome, Execution.UNKNOWN);
    }

    Ended in(SessionId other) {
      return new Ended(worker, other, dispatch, task, startTold, outcome, execution);
    }
  }

  /**
   * What the worker knows about the process.
   *
   * @param startedAtMs by the database's clock, as all times; 0 when it did not start, or unknown
   * @param detail for people; cut to the limit
   * @param outputLostBytes output that could not be stored
   */
  record Execution(long startedAtMs, long endedAtMs, String detail, long outputLostBytes) {
    public static final Execution UNKNOWN = new Execution(0, 0, "", 0);
  }
}
