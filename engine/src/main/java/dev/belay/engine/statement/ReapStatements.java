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

/** Writes of the reaper to tasks and runs that no other component will end. */
public interface ReapStatements {

  /** Locks them against signs of life; omits deleted workers. */
  Map<WorkerId, Witness> lockWorkers(Collection<WorkerId> workers);

  /**
   * A task that a statement ended, asked to end, or moved.
   *
   * @param sinceSign since its limit passed
   * @param endedAs the terminal state that it reached
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
  List<Found> abortOverdue(int max, String actor);

  /** Asks attempts to end that run longer than the limit. */
  List<Found> abortLongRunning(Duration limit, int max, String actor);

  /** Ends tasks that waited too long for a person or an event. */
  List<Found> expireWaits(Duration approval, Duration deferral, int max, String actor);

  /** Marks a run without progress; returns how long it made none. */
  Optional<Duration> noteOrphan(RunId run);

  /** Whether the run has no mark, no progress now, and made none for this long. */
  boolean isOrphan(RunId run, Duration quiet);

  /** Cancels the run's tasks that wait for others; returns how many. */
  int cancelOrphans(RunId run, String actor);

  /** False when the same alert was raised recently. */
  boolean alert(String kind, String detail);

  /** Raises an alert for each that has none since its last sign; returns how many. */
  int alertLost(Collection<WorkerId> workers);
}
