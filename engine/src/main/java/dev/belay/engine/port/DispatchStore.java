package dev.belay.engine.port;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and writes of dispatching. */
public interface DispatchStore {

  /** A worker that was silent for longer gets no new work, unless the settings say otherwise. */
  Duration ROUTABLE_SILENCE = Duration.ofSeconds(30);

  /** Workers that may get work, with what the database has for them. */
  List<HeldSlots> readWorkers();

  /** A worker and the dispatches that it holds. */
  record HeldSlots(Routing.Worker worker, List<DispatchId> held) {}

  /**
   * The first eligible tasks of each pool, best priority first, without those of {@code except}.
   *
   * @param sure a lower bound on the current time: a task that waits for a lease beyond it is not
   *     eligible, whatever the database's clock shows
   */
  List<Routing.Candidate> readCandidates(
      Map<String, Integer> limitByPool, Collection<TaskId> except, Instant sure);

  /**
   * Claims tasks under the epoch lock: SCHEDULED to DISPATCHED for those still SCHEDULED, if the
   * worker's session is still the registered one.
   *
   * @param sure as above
   * @return the claimed tasks, ready to deliver, best priority first
   */
  List<MailboxEntry> claim(
      Epoch epoch, WorkerId worker, SessionId session, List<Claim> claims, Instant sure);

  /** Time until the next PENDING or DEFERRED task is due; empty when none waits for a time. */
  Optional<Duration> readNextDue();

  /**
   * Checks with one query that there is nothing to plan, admit or dispatch. Empty when there is, or
   * when the store cannot answer that with one query.
   */
  default Optional<Quiet> lookQuiet() {
    return Optional.empty();
  }

  /**
   * @param nextDue empty when no task waits for a time
   */
  record Quiet(Optional<Duration> nextDue) {}

  /**
   * @param readySince by the database's clock, in seconds: the wait is measured from there
   * @param again the task had an attempt before, which this one replaces; true in doubt. A task
   *     that had one, and is claimed as if it had none, stays SCHEDULED
   */
  record Claim(TaskId task, DispatchId dispatch, double readySince, boolean again) {
    public Claim(TaskId task, DispatchId dispatch, double readySince) {
      this(task, dispatch, readySince, true);
    }
  }
}
