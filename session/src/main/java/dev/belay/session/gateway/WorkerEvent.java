package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A fact about a dispatch, to be written by compare-and-set on (dispatch, session, active state).
 *
 * <p>{@code session} is the session that the dispatch is bound to, which is an older one than the
 * speaker's when a restarted worker delivers an outcome, or a loss, of its past.
 *
 * <p>{@code task} is the dispatch's task where this connection was told of it, which spares looking
 * it up; the dispatch decides.
 */
public sealed interface WorkerEvent {

  WorkerId worker();

  SessionId session();

  DispatchId dispatch();

  record Started(
      WorkerId worker, SessionId session, DispatchId dispatch, @Nullable TaskId task, long atMs)
      implements WorkerEvent {}

  /**
   * The message carries the outcome; its detail is already cut to the limit.
   *
   * @param startTold its start was told before, by an event of its own
   */
  record Finished(
      WorkerId worker,
      SessionId session,
      DispatchId dispatch,
      @Nullable TaskId task,
      boolean startTold,
      dev.belay.protocol.agent.v1.Finished message)
      implements WorkerEvent {}

  /** The worker will not run it and has not: put it elsewhere. */
  record Refused(WorkerId worker, SessionId session, DispatchId dispatch, String reason)
      implements WorkerEvent {}

  /**
   * Its outcome will never be known.
   *
   * @param mayRunOn how long a strictly fenced one may still run; zero when it is known to be over
   */
  record Lost(
      WorkerId worker, SessionId session, DispatchId dispatch, String reason, Duration mayRunOn)
      implements WorkerEvent {}
}
