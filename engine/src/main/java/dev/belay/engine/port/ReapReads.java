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

/** What the reaper reads. */
public interface ReapReads {

  /** All workers, and who else holds active tasks. */
  Survey survey();

  /**
   * @param steady since when there was at any time a replica that could write; zero while there is
   *     none
   * @param workers known ones
   * @param missing ids of workers that are no more and hold active tasks
   */
  record Survey(Instant now, Duration steady, List<SeenWorker> workers, List<WorkerId> missing) {

    public Survey with(List<SeenWorker> others) {
      return new Survey(now, steady, others, missing);
    }

    /** Something is active. */
    public boolean holdsWork() {
      return !missing.isEmpty() || workers.stream().anyMatch(worker -> worker.active() > 0);
    }
  }

  /**
   * @param witness what must not have changed when its tasks are ended
   * @param active tasks it holds
   * @param dispatched of these, how many have not started
   * @param overdue of these, one was committed so long ago that it should have started, or is of
   *     another session
   */
  record SeenWorker(
      WorkerId id, Witness witness, WorkerSign sign, int active, int dispatched, boolean overdue) {

    public SeenWorker with(Watched watched) {
      return new SeenWorker(id, witness, sign.with(watched), active, dispatched, overdue);
    }
  }

  /** Changes with every hello, heartbeat and end of a connection. */
  record Witness(SessionId session, long connection, long heartbeatNumber, String state) {}

  /** Active tasks of these workers, at most so many, after the given one. */
  List<ActiveTask> readActive(
      Collection<WorkerId> workers, @Nullable TaskId after, int max, Survey survey);

  /**
   * @param session that the dispatch is bound to
   */
  record ActiveTask(
      TaskId task, DispatchId dispatch, WorkerId worker, SessionId session, Attempt attempt) {}

  /** Open runs in which nothing goes on and nothing is to be planned, after the given one. */
  List<Orphan> readOrphans(@Nullable RunId after, int max);

  /**
   * @param replanned it was planned again a while ago, and that did not help
   */
  record Orphan(RunId run, boolean replanned) {}

  /** What the reaper may find something of. */
  enum Due {
    /** Tasks past their deadline. */
    DEADLINE,
    /** PENDING tasks that could have moved. */
    PENDING,
    /** Tasks that wait for a person or an event. */
    WAIT
  }

  /** Looks once whether there is anything to expire or to replay; all that cannot be ruled out. */
  default Set<Due> readDue() {
    return EnumSet.allOf(Due.class);
  }
}
