package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.share;

import java.time.Duration;

/** When Belay gives up a worker, a task or a run. */
public final class ReapGroup {

  static final Group GROUP = new Group("Losses", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> AGENT_CLOSED =
      GROUP.add(
          duration(
              "agent-closed",
              "15s",
              "100ms",
              "1h",
              "a worker that closed its connection and is not back after this long is lost"));

  public static final Setting<Duration> AGENT_SILENT =
      GROUP.add(
          duration(
              "agent-silent",
              "90s",
              "200ms",
              "1d",
              "a worker that is silent for this long is lost"));

  public static final Setting<Duration> DISPATCH_LOST =
      GROUP.add(
          duration(
              "dispatch-lost",
              "3m",
              "200ms",
              "1d",
              "a dispatch that a live worker has not started after this long is lost"));

  public static final Setting<Duration> DISPATCH_GRACE =
      GROUP.add(
          duration(
              "dispatch-grace",
              "30s",
              "10ms",
              "1h",
              "silence ends no dispatch that is younger than this"));

  public static final Setting<Duration> TAKEOVER_GRACE =
      GROUP.add(
          duration(
              "takeover-grace",
              "30s",
              "10ms",
              "1h",
              "silence does not count for this long after an election or an outage"));

  public static final Setting<Duration> GRACE_SUM =
      GROUP.add(
          duration(
              "grace-sum",
              "5m",
              "10ms",
              "1d",
              "all graces of one worker together last at most this long"));

  public static final Setting<Duration> DATABASE_GAP =
      GROUP.add(
          duration(
              "database-gap",
              "10s",
              "100ms",
              "10m",
              "a shorter outage of the database does not count"));

  public static final Setting<Duration> CLOCK_STEP =
      GROUP.add(
          duration(
              "clock-step",
              "5s",
              "10ms",
              "10m",
              "a larger step of the database's clock starts a grace"));

  public static final Setting<Double> MASS_SHARE =
      GROUP.add(
          share(
              "mass-share",
              "0.3",
              "0.01",
              "1",
              "when more than this share of the workers falls silent together, the reaper holds"
                  + " back"));

  public static final Setting<Integer> MASS_WORKERS =
      GROUP.add(
          count(
              "mass-workers",
              5,
              1,
              100_000,
              "fewer silent workers than this are never a mass silence"));

  public static final Setting<Duration> MASS_HOLD =
      GROUP.add(
          duration(
              "mass-hold",
              "10m",
              "100ms",
              "1d",
              "the reaper holds back this long in a mass silence"));

  public static final Setting<Duration> RUNNING_MAX =
      GROUP.add(
          duration(
              "running-max",
              "0s",
              "0s",
              "3650d",
              "the reaper ends an attempt that runs longer; 0s means never"));

  public static final Setting<Duration> PENDING_MAX =
      GROUP.add(
          duration(
              "pending-max",
              "2m",
              "100ms",
              "1d",
              "a task that could move but stays PENDING for longer goes through admission again"));

  public static final Setting<Duration> APPROVAL_MAX =
      GROUP.add(
          duration(
              "approval-max",
              "7d",
              "1s",
              "3650d",
              "an approval that does not come within this time is refused"));

  public static final Setting<Duration> DEFERRAL_MAX =
      GROUP.add(
          duration(
              "deferral-max", "7d", "1s", "3650d", "a task that waits longer for an event fails"));

  public static final Setting<Duration> ORPHAN_RUN =
      GROUP.add(
          duration(
              "orphan-run",
              "5m",
              "100ms",
              "1d",
              "an open run in which nothing happens for this long is orphaned"));

  public static final Setting<Duration> ORPHAN_FAILS =
      GROUP.add(
          duration(
              "orphan-fails",
              "1m",
              "100ms",
              "1d",
              "an orphaned run fails if it is still orphaned this long after it was planned"
                  + " again"));

  public static final Setting<Duration> LEASE =
      GROUP.add(
          duration(
              "lease",
              "1m",
              "500ms",
              "1d",
              "a strict attempt may run this long after the last heartbeat that the server saw"));

  public static final Setting<Duration> LEASE_MARGIN =
      GROUP.add(
          duration(
              "lease-margin",
              "5s",
              "10ms",
              "1h",
              "a strict attempt ends this long before its lease does; the next one starts this long"
                  + " after"));

  public static final Setting<Integer> REAP_BATCH =
      GROUP.add(
          count(
              "reap-batch",
              200,
              1,
              10_000,
              "one transaction of the reaper ends at most this many tasks"));

  public static final Setting<Integer> REAP_BATCHES =
      GROUP.add(
          count(
              "reap-batches",
              100,
              1,
              10_000,
              "one rule runs at most this many transactions in one round of the reaper"));

  public static final Setting<Integer> REAP_TRIES =
      GROUP.add(
          count(
              "reap-tries",
              3,
              1,
              100,
              "the reaper tries a batch this many times, then its rule waits for the next round"));

  static {
    GROUP.add(
        Rule.atMost(
            AGENT_CLOSED,
            AGENT_SILENT,
            "a worker that closed its connection is lost sooner than a silent one",
            "agent-closed=2m"));
    GROUP.add(
        Rule.atMost(
            TAKEOVER_GRACE, GRACE_SUM, "the sum includes at least one grace", "grace-sum=20s"));
    GROUP.add(
        Rule.below(
            2,
            LEASE_MARGIN,
            LEASE,
            "an attempt must have time to run within its lease",
            "lease-margin=31s"));
    GROUP.add(
        Rule.below(
            3,
            EngineGroup.TICK,
            DATABASE_GAP,
            "the reaper runs at every second tick",
            "database-gap=2s"));
  }

  private ReapGroup() {}
}
