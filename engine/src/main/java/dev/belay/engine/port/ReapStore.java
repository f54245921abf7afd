package dev.belay.engine.port;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Attempt;
import dev.belay.domain.reap.Judgement;
import dev.belay.domain.reap.WorkerSign;
import dev.belay.domain.reap.WorkerSign.Watched;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the reaper reads and writes. Every write is behind the fence. */
public interface ReapStore {

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

  /** Changes with every hello, report and end of a connection. */
  record Witness(SessionId session, long connection, long reportNumber, String state) {}

  /** Active tasks of these workers, at most so many, after the given one. */
  List<ActiveTask> readActive(
      Collection<WorkerId> workers, @Nullable TaskId after, int max, Survey survey);

  /**
   * @param session that the dispatch is bound to
   */
  record ActiveTask(
      TaskId task, DispatchId dispatch, WorkerId worker, SessionId session, Attempt attempt) {}

  /**
   * Ends attempts as lost: re-reads each under its lock, leaves alone what changed since, and whose
   * worker has given a sign since.
   *
   * @param witnesses of the workers that exist
   */
  Ended end(Epoch epoch, List<Ending> endings, Map<WorkerId, Witness> witnesses);

  record Ending(ActiveTask task, Judgement.End end) {

    /** The same as a report, as if its worker had said so. */
    public WorkerEvent.Lost lost() {
      return new WorkerEvent.Lost(
          task.worker(), task.session(), task.dispatch(), end.reason(), end.mayRunOn());
    }
  }

  /**
   * @param reasons how many attempts were ended, by reason
   * @param runsChanged a run was marked, or a task waits for a time
   */
  record Ended(Map<String, Integer> reasons, boolean runsChanged) {
    public static final Ended NOTHING = new Ended(Map.of(), false);

    public int count() {
      return reasons.values().stream().mapToInt(Integer::intValue).sum();
    }

    public Ended and(Ended other) {
      Map<String, Integer> sum = new TreeMap<>(reasons);
      other.reasons.forEach((reason, count) -> sum.merge(reason, count, Integer::sum));
      return new Ended(sum, runsChanged || other.runsChanged);
    }
  }

  /** Tasks past their deadline: idle ones end, active ones are asked to; workers to be told. */
  Expired expireDeadlines(Epoch epoch, int max);

  /** Attempts that run longer than any may are asked to end. */
  Expired endLongRunning(Epoch epoch, int max);

  /**
   * @param ended tasks that are over
   * @param aborted attempts that were asked to end
   * @param toTell whose mailboxes changed
   */
  record Expired(int ended, int aborted, Set<WorkerId> toTell) {
    public int count() {
      return ended + aborted;
    }
  }

  /** Puts PENDING tasks that could have moved through admission again. */
  int replayPending(Epoch epoch, int max);

  /** Ends, or goes on with, what waited for a person or an event for too long. */
  int expireWaits(Epoch epoch, int max);

  /** Open runs in which nothing goes on and nothing is to be planned, after the given one. */
  List<Orphan> readOrphans(@Nullable RunId after, int max);

  /**
   * @param replanned it was planned again a while ago, and that did not help
   */
  record Orphan(RunId run, boolean replanned) {}

  /** Something that a person should look at. */
  void alert(Epoch epoch, String kind, String detail);

  /** Tells people of these workers, unless that was done since they were last heard of. */
  void alertLost(Epoch epoch, Collection<WorkerId> workers);

  /** Has it planned again, or fails it when that did not help; false when it goes on meanwhile. */
  boolean treatOrphan(Epoch epoch, Orphan orphan);

  /**
   * Begins a round: a store may look once whether there is anything to expire or to replay, and
   * spare each of these calls of the round that would find nothing. What comes later is for the
   * next round.
   */
  default void look() {}
}
