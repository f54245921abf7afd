package dev.belay.engine.statement;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.Recovered;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Recoveries, written in the transactions of the endings that they measure. */
public interface RecoveryStatements {

  /** Also raises an alert for each that took longer than promised. */
  void record(List<Recovered> recovered);

  /**
   * When the worker of each dispatch last reported to hold it.
   *
   * @param heartbeatInterval how often a worker sends a heartbeat
   */
  List<LastSign> readLastSigns(Collection<AttemptKey> attempts, Duration heartbeatInterval);

  /**
   * @param sinceHello since its current connection began
   * @param sinceHeartbeat since the last heartbeat that may have listed the dispatch
   */
  record LastSign(
      DispatchId dispatch,
      TaskId task,
      WorkerId worker,
      Duration sinceHello,
      Duration sinceHeartbeat) {}
}
