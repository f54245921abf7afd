package dev.belay.engine.port;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Worker;
import dev.belay.session.gateway.MailboxEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and writes of dispatching. */
public interface DispatchStore {

  /** A worker that was silent for longer gets no new work, unless the settings say otherwise. */
  Duration ROUTABLE_SILENCE = Duration.ofSeconds(30);

  Holdings readWorkers();

  /**
   * Workers, and the dispatches of all tasks that are DISPATCHED or RUNNING.
   *
   * @param workers all known ones, also those that are away, without what they hold
   * @param held also by workers that are away
   * @param now by the database's clock
   */
  record Holdings(List<Worker> workers, List<Held> held, Instant now) {}

  /**
   * A dispatch that takes slots of its worker.
   *
   * @param queue null for a task that is older than task queues
   * @param pool in which it counts, when its task queue names none; else null
   * @param since when it started, or was dispatched
   */
  record Held(
      DispatchId dispatch,
      WorkerId worker,
      @Nullable QueueId queue,
      @Nullable String pool,
      Instant since) {

    /** The pool in which it counts: the claim stored it, unless its task queue names one. */
    public String pool(@Nullable TaskQueue spec) {
      String named = spec == null ? null : spec.placement().pool();
      return named != null ? named : Objects.requireNonNullElse(pool, "");
    }
  }

  /**
   * The task queues with SCHEDULED tasks, in the order of their ids.
   *
   * @param after begins behind this one; null means at the first
   */
  List<Head> readWaiting(@Nullable QueueId after, int max);

  /**
   * A task queue in which a task is SCHEDULED.
   *
   * @param priority the best of its tasks
   */
  record Head(QueueId queue, int priority) {}

  /**
   * The first eligible tasks of each task queue, without those of {@code except}, best priority
   * first.
   *
   * @param sure a lower bound on the current time: a task that waits for a lease beyond it is not
   *     eligible, whatever the database's clock shows
   */
  List<Candidate> readCandidates(List<Wanted> wanted, Collection<TaskId> except, Instant sure);

  /**
   * How many tasks of a task queue are wanted.
   *
   * @param after for tasks of runs: at equal priority, the runs take turns, and the first turn is
   *     that of the run behind this one. Null for tasks without runs, which go in the order of
   *     their ids
   */
  record Wanted(QueueId queue, int take, @Nullable RunId after) {}

  /**
   * An eligible task.
   *
   * @param readySince by the database's clock, in seconds
   * @param again it had an attempt before; true in doubt
   * @param last its last attempt, if that was over when it became eligible
   */
  record Candidate(
      TaskId task,
      QueueId queue,
      @Nullable RunId run,
      int priority,
      double readySince,
      boolean again,
      @Nullable LastAttempt last) {}

  /**
   * An attempt that did not bring its task to an end.
   *
   * @param refusedAt when the worker said that it cannot start anything; null if it did not
   */
  record LastAttempt(WorkerId worker, @Nullable Instant refusedAt) {}

  /**
   * Claims tasks for workers under the epoch lock: SCHEDULED to DISPATCHED for those still
   * SCHEDULED, if the session of the worker is still the registered one.
   *
   * @param sure as above
   * @return the claimed tasks of each worker, ready to deliver, best priority first
   */
  Map<WorkerId, List<MailboxEntry>> claim(
      Epoch epoch, Map<Target, List<Claim>> claims, Instant sure);

  /**
   * Waits until no claim that began before can still commit, also one whose caller got no answer.
   * Holds up all writes of the leader meanwhile.
   */
  void settle();

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

  /** A process of a worker. */
  record Target(WorkerId worker, SessionId session) {}

  /**
   * @param queue in which the task was found: a task that waits in another one by now stays
   *     SCHEDULED. Null means in any
   * @param readySince by the database's clock, in seconds: the wait is measured from there
   * @param again the task had an attempt before, which this one replaces; true in doubt. A task
   *     that had one, and is claimed as if it had none, stays SCHEDULED
   * @param topic of the task, to count it; null when it only names a pool
   * @param pool in which it counts, when its task queue names none; else null
   */
  record Claim(
      TaskId task,
      @Nullable QueueId queue,
      DispatchId dispatch,
      double readySince,
      boolean again,
      @Nullable String topic,
      @Nullable String pool) {
    public Claim(TaskId task, DispatchId dispatch, double readySince, boolean again) {
      this(task, null, dispatch, readySince, again, null, null);
    }

    public Claim(TaskId task, DispatchId dispatch, double readySince) {
      this(task, dispatch, readySince, true);
    }
  }
}
