package dev.belay.simulation;

import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.settle.StartBackoff;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.leader.LeaderSettings;
import dev.belay.engine.result.Results;
import dev.belay.engine.schedule.ScheduleSettings;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Duration;

/**
 * Settings of the replicas: default thresholds, but the longest pauses that these allow, because an
 * empty simulated second costs as much as one with a bug.
 */
record Rules(EngineSettings engine, LeaderSettings leader, ReapSettings reap, Guards guards) {
  static final Duration TICK = Duration.ofSeconds(3);
  static final Duration MAILBOX_POLL = Duration.ofSeconds(3);
  static final Duration BEAT = Duration.ofSeconds(3);
  static final Duration HEARTBEAT = Duration.ofSeconds(5);
  static final Duration ABORT_GRACE = Duration.ofSeconds(5);

  /** Small batches, so that they are often full. */
  static final ScheduleSettings SCHEDULES = new ScheduleSettings(2, 4, TICK, Duration.ofSeconds(5));

  /** Limit on the running time of an attempt; off by default, and here low enough to be reached. */
  static final Duration RUNNING_MAX = Duration.ofSeconds(100);

  /** A task is given up after its second dispatch to an executor that is down. */
  static final RetryDecision.Waits WAITS =
      new RetryDecision.Waits(
          RetryDecision.Waits.DEFAULT.crash(),
          RetryDecision.Waits.DEFAULT.unavailable(),
          RetryDecision.Waits.DEFAULT.refused(),
          new StartBackoff(
              Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(500), 2));

  private static final Duration NO_GRACE = Duration.ofNanos(1);
  private static final int CLAIM_THREADS = 2;
  private static final int CLAIM_QUEUE = 4;

  static Rules of(Guards guards) {
    var usual = LeaderSettings.DEFAULT;
    var leader =
        new LeaderSettings(
            TICK, usual.renew(), TICK, usual.trust(), usual.phaseBudget(), usual.tickBudget());
    return new Rules(
        EngineSettings.of(CLAIM_THREADS, CLAIM_QUEUE).withTick(TICK), leader, reap(guards), guards);
  }

  private static ReapSettings reap(Guards guards) {
    var usual = ReapSettings.DEFAULT;
    var grace = usual.grace();
    var waits = usual.waits();
    return usual
        .withGrace(
            new ReapSettings.Grace(
                guards.has(RaceGuard.DISPATCH_GRACE) ? grace.dispatch() : NO_GRACE,
                guards.has(RaceGuard.ELECTION_GRACE) ? grace.takeover() : NO_GRACE,
                grace.sumMax(),
                grace.databaseGap(),
                grace.clockStep(),
                grace.mass()))
        .withWaits(
            new ReapSettings.Waits(
                RUNNING_MAX,
                waits.pending(),
                waits.approval(),
                waits.deferral(),
                waits.orphan(),
                waits.orphanFails()));
  }

  /** Writes results before they are answered, unless that guard is missing. */
  Results results(World world, Host host, Results results) {
    return guards.has(RaceGuard.ACK_AFTER_COMMIT)
        ? results
        : new HastyResults(world, host, results);
  }
}
