package dev.belay.engine.statement;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ReapReads.Witness;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the reaper does to tasks and runs that nobody else will end. */
public interface ReapStatements {

  /** Locks them against signs; one that is no more is missing. */
  Map<WorkerId, Witness> lockWorkers(Collection<WorkerId> workers);

  /**
   * A task that a statement ended, asked to end, or moved.
   *
   * @param sinceSign since its time was over
   * @param endedAs the terminal state that it reached by this
   */
  record Found(
      TaskId task,
      @Nullable DispatchId dispatch,
      @Nullable WorkerId worker,
      Duration sinceSign,
      @Nullable TaskState endedAs) {}

  /** Ends idle tasks that are past their deadline. */
  List<Found> expireDeadlines(int max, String actor);

  /** Asks the attempts of active tasks that are past their deadline to end. */
  List<Found> abortOverdue(int max);

  /** Asks attempts that run for longer than the limit to end. */
  List<Found> abortLongRunning(Duration limit, int max);

  /** Ends, or goes on with, tasks that waited for a person or an event for too long. */
  List<Found> expireWaits(Duration approval, Duration deferral, int max, String actor);

  /** Marks a run in which nothing goes on; answers for how long nothing did. */
  Optional<Duration> noteOrphan(RunId run);

  /** Whether nothing is to be planned in the run, nothing goes on, and nothing did for so long. */
  boolean isOrphan(RunId run, Duration quiet);

  /** Cancels the tasks of the run that wait for others; answers how many. */
  int cancelOrphans(RunId run, String actor);

  /** False when the same alert was raised a moment ago. */
  boolean alert(String kind, String detail);

  /** Raises an alert for each that raised none since it was last heard of; answers how many. */
  int alertLost(Collection<WorkerId> workers);
}
