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

/** What dispatching reads and writes. */
public interface DispatchStore {

  /** A worker that was silent for longer gets no new work, unless the settings say otherwise. */
  Duration ROUTABLE_SILENCE = Duration.ofSeconds(30);

  /** Workers that can be given work, with what the database says they hold. */
  List<Routing.Worker> readWorkers();

  /**
   * The first eligible tasks of each pool, best priority first, those of {@code except} left out.
   *
   * @param sure how late it surely is: what waits for a longer lease is not eligible, whatever the
   *     database's clock says
   */
  List<Routing.Candidate> readCandidates(
      Map<String, Integer> limitByPool, Collection<TaskId> except, Instant sure);

  /**
   * Commits the intent: SCHEDULED to DISPATCHED for the tasks that still are, if the worker's
   * session is still the registered one. Under the epoch lock.
   *
   * @param sure as above
   * @return what was claimed, as it is to be delivered, best priority first
   */
  List<MailboxEntry> claim(
      Epoch epoch, WorkerId worker, SessionId session, List<Claim> claims, Instant sure);

  /** When the next PENDING task is due; empty when none waits for a time. */
  Optional<Duration> readNextDue();

  /**
   * Looks once whether there is nothing to plan, to admit or to dispatch. Empty when there is
   * something, or the store cannot tell at the price of one look.
   */
  default Optional<Quiet> lookQuiet() {
    return Optional.empty();
  }

  /**
   * @param nextDue empty when no task waits for a time
   */
  record Quiet(Optional<Duration> nextDue) {}

  /**
   * @param readySince by the database's clock, in seconds: what it waited is measured from there
   */
  record Claim(TaskId task, DispatchId dispatch, double readySince) {}
}
