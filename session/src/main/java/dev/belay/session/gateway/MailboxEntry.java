package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One active task of a worker, as stored.
 *
 * @param session the session that the dispatch is bound to
 * @param abortReason set when its end was requested
 * @param assignment empty when the reader already had it
 */
public record MailboxEntry(
    TaskId task,
    DispatchId id,
    SessionId session,
    State state,
    @Nullable String abortReason,
    Optional<Assignment> assignment) {

  /** The two active states of a task. */
  public enum State {
    DISPATCHED,
    RUNNING
  }
}
