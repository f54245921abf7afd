package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.share;

import java.time.Duration;

/** When a worker, a task or a run counts as lost. */
public final class ReapGroup {

  static final Group GROUP = new Group("Losses", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> AGENT_CLOSED =
      GROUP.add(
          duration(
              "agent-closed",
              "15s",
              "100ms",
              "1h",
              "a worker that hung up and is not back after this is lost"));

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
              "given to a live worker and not begun after this"));

  public static final Setting<Duration> DISPATCH_GRACE =
      GROUP.add(
          duration("dispatch-grace", "30s", "10ms", "1h", "younger dispatches are left alone"));

  public static final Setting<Duration> TAKEOVER_GRACE =
      GROUP.add(
          duration(
              "takeover-grace",
              "30s",
              "10ms",
              "1h",
              "no silence counts for so long after an election or an outage"));

  public static final Setting<Duration> GRACE_SUM =
      GROUP.add(duration("grace-sum", "5m", "10ms", "1d", "all graces of one worker together"));

  public static final Setting<Duration> DATABASE_GAP =
      GROUP.add(
          duration(
              "database-gap", "10s", "100ms", "10m", "an outage that is shorter does not count"));

  public static final Setting<Duration> CLOCK_STEP =
      GROUP.add(
          duration(
              "clock-step",
              "5s",
              "10ms",
              "10m",
              "by how much the database's clock may jump unnoticed"));

  public static final Setting<Double> MASS_SHARE =
      GROUP.add(
          share(
              "mass-share",
              "0.3",
              "0.01",
              "1",
              "when more than this share of the workers falls silent together, they are kept for a"
                  + " while"));

  public static final Setting<Integer> MASS_WORKERS =
      GROUP.add(
          count(
              "mass-workers", 5, 1, 100_000, "fewer silent workers than this never count as many"));

  public static final Setting<Duration> MASS_HOLD =
      GROUP.add(
          duration(
              "mass-hold",
              "10m",
              "100ms",
              "1d",
              "how long workers that fell silent together are kept"));

  public static final Setting<Duration> RUNNING_MAX =
      GROUP.add(
          duration(
              "running-max",
              "0s",
              "0s",
              "3650d",
              "an attempt that runs longer is ended; 0s is never"));

  public static final Setting<Duration> PENDING_MAX =
      GROUP.add(
          duration("pending-max", "2m", "100ms", "1d", "PENDING for longer though it could move"));

  public static final Setting<Duration> APPROVAL_MAX =
      GROUP.add(
          duration(
              "approval-max", "7d", "1s", "3650d", "an approval that nobody gives is refused"));

  public static final Setting<Duration> DEFERRAL_MAX =
      GROUP.add(
          duration(
              "deferral-max", "7d", "1s", "3650d", "a wait for an event that never comes fails"));

  public static final Setting<Duration> ORPHAN_RUN =
      GROUP.add(
          duration("orphan-run", "5m", "100ms", "1d", "an open run in which nothing goes on"));

  public static final Setting<Duration> ORPHAN_FAILS =
      GROUP.add(
          duration(
              "orphan-fails",
              "1m",
              "100ms",
              "1d",
              "an orphaned run that planning did not help fails"));

  public static final Setting<Duration> LEASE =
      GROUP.add(
          duration("lease", "1m", "500ms", "1d", "of strict attempts, from the last heartbeat"));

  public static final Setting<Duration> LEASE_MARGIN =
      GROUP.add(
          duration(
              "lease-margin", "5s", "10ms", "1h", "what ends before, and starts after, a lease"));

  public static final Setting<Integer> REAP_BATCH =
      GROUP.add(
          count("reap-batch", 200, 1, 10_000, "tasks that the reaper ends in one transaction"));

  public static final Setting<Integer> REAP_BATCHES =
      GROUP.add(
          count(
              "reap-batches",
              100,
              1,
              10_000,
              "transactions of one rule in one round of the reaper"));

  public static final Setting<Integer> REAP_TRIES =
      GROUP.add(
          count(
              "reap-tries",
              3,
              1,
              100,
              "tries of one batch before its rule waits for the next round"));

  static {
    GROUP.add(
        Rule.atMost(
            AGENT_CLOSED,
            AGENT_SILENT,
            "a worker that hung up is lost sooner than a silent one",
            "agent-closed=2m"));
    GROUP.add(
        Rule.atMost(
            TAKEOVER_GRACE, GRACE_SUM, "the sum holds at least one grace", "grace-sum=20s"));
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
            "the reaper looks at every second tick",
            "database-gap=2s"));
  }

  private ReapGroup() {}
}
