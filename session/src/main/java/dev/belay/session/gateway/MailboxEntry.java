package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One active task of a worker, as the database has it.
 *
 * @param session the session that the dispatch is bound to
 * @param abortReason set when somebody asked for its end
 * @param assignment empty when the reader had been given it before
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
