package dev.belay.agent.process;

import dev.belay.protocol.agent.v1.Dispatch;
import java.time.Duration;
import java.util.Optional;

/**
 * How one process may run.
 *
 * @param stallTimeout how long it may write nothing
 * @param ownGrace from SIGTERM to SIGKILL, if the dispatch names it
 * @param strict it opens only under a lease
 * @param oomKills the kernel's count when the process was created
 */
record Terms(
    Optional<Duration> timeout,
    Optional<Duration> stallTimeout,
    Optional<Duration> ownGrace,
    boolean strict,
    long oomKills) {

  static Terms of(Dispatch dispatch, long oomKills) {
    return new Terms(
        positive(dispatch.getExecutionTimeoutMs()),
        positive(dispatch.getStallTimeoutMs()),
        dispatch.hasStopGraceMs()
            ? Optional.of(Duration.ofMillis(Math.max(0, dispatch.getStopGraceMs())))
            : Optional.empty(),
        dispatch.getLeaseMs() > 0,
        oomKills);
  }

  private static Optional<Duration> positive(long millis) {
    return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
  }
}
