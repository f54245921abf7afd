package dev.belay.engine.port;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Attempt;
import dev.belay.domain.reap.WorkerSign;
import dev.belay.domain.reap.WorkerSign.Watched;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads of the reaper. */
public interface ReapReads {

  /** All workers, and the missing ones that still hold active tasks. */
  Survey survey();

  /**
   * @param steady how long some replica could write without a gap; zero while none can
   * @param workers known ones
   * @param missing ids of deleted workers that hold active tasks
   */
  record Survey(Instant now, Duration steady, List<SeenWorker> workers, List<WorkerId> missing) {

    public Survey with(List<SeenWorker> others) {
      return new Survey(now, steady, others, missing);
    }

    /** Some task is active. */
    public boolean holdsWork() {
      return !missing.isEmpty() || workers.stream().anyMatch(worker -> worker.active() > 0);
    }
  }

  /**
   * @param witness must be unchanged when the worker's tasks are ended
   * @param active tasks it holds
   * @param dispatched of these, how many have not started
   * @param overdue one of these should have started by now, or belongs to another session
   */
  record SeenWorker(
      WorkerId id, Witness witness, WorkerSign sign, int active, int dispatched, boolean overdue) {

    public SeenWorker with(Watched watched) {
      return new SeenWorker(id, witness, sign.with(watched), active, dispatched, overdue);
    }
  }

  /** Changes with every hello, heartbeat and end of a connection. */
  record Witness(SessionId session, long connection, long heartbeatNumber, String state) {}

  /** At most {@code max} active tasks of these workers, after the given one. */
  List<ActiveTask> readActive(
      Collection<WorkerId> workers, @Nullable TaskId after, int max, Survey survey);

  /**
   * @param session of the dispatch
   */
  record ActiveTask(
      TaskId task, DispatchId dispatch, WorkerId worker, SessionId session, Attempt attempt) {}

  /** Open runs without progress and without a mark, after the given one. */
  List<Orphan> readOrphans(@Nullable RunId after, int max);

  /**
   * @param replanned it was planned again a while ago without effect
   */
  record Orphan(RunId run, boolean replanned) {}

  /** Kinds of work that the reaper may find. */
  enum Due {
    DEADLINE,
    /** PENDING tasks that could have moved. */
    PENDING,
    /** Tasks that wait for a person or an event. */
    WAIT
  }

  /**
   * Checks with one query for anything to expire or replay. Returns all that it cannot rule out.
   */
  default Set<Due> readDue() {
    return EnumSet.allOf(Due.class);
  }
}
