package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.path;
import static dev.belay.settings.Setting.share;

import java.nio.file.Path;
import java.time.Duration;

/** How long a server keeps old data. */
public final class RetentionGroup {

  private static final String MAX = "3650d";

  static final Group GROUP = new Group("Retention", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> TASK_RETENTION =
      GROUP.add(
          duration(
              "task-retention",
              "90d",
              "0s",
              MAX,
              "the server removes tasks and runs this long after they ended; 0s keeps them"));

  public static final Setting<Duration> FIRE_RETENTION =
      GROUP.add(
          duration(
              "fire-retention",
              "90d",
              "1d",
              MAX,
              "the server keeps the ledger of triggers this long, and the dropped versions of"
                  + " triggers"));

  public static final Setting<Path> RETENTION_ARCHIVE =
      GROUP.add(
          path(
              "retention-archive",
              "write tasks and runs to this folder before they are removed, as compressed JSON"
                  + " lines"));

  public static final Setting<Integer> RETENTION_BATCH =
      GROUP.add(
          count(
              "retention-batch",
              1_000,
              1,
              10_000,
              "one transaction examines at most this many old tasks or runs, and removes those that"
                  + " are due"));

  public static final Setting<Double> RETENTION_SHARE =
      GROUP.add(
          share(
              "retention-share",
              "0.2",
              "0.01",
              "1",
              "removing tasks and runs takes at most this share of the time; the rest is pauses"));

  public static final Setting<Duration> LOG_RETENTION =
      GROUP.add(
          duration("log-retention", "14d", "1h", MAX, "the server keeps task logs this long"));

  public static final Setting<Duration> IDEMPOTENCY_RETENTION =
      GROUP.add(
          duration(
              "idempotency-retention",
              "7d",
              "1m",
              MAX,
              "the server remembers idempotency keys this long"));

  public static final Setting<Duration> WORKER_RETENTION =
      GROUP.add(
          duration(
              "worker-retention",
              "1d",
              "1m",
              MAX,
              "the server lists a worker this long after it was last heard"));

  public static final Setting<Duration> REPLACED_WORKER_RETENTION =
      GROUP.add(
          duration(
              "replaced-worker-retention",
              "1h",
              "1m",
              MAX,
              "the same for a worker whose name joined again with another id"));

  public static final Setting<Duration> WORKER_KEY_RETENTION =
      GROUP.add(
          duration(
              "worker-key-retention",
              "90d",
              "1h",
              MAX,
              "the id of a worker stays reserved for its key this long"));

  public static final Setting<Duration> RECOVERY_RETENTION =
      GROUP.add(
          duration(
              "recovery-retention", "90d", "1h", MAX, "the server keeps recoveries this long"));

  public static final Setting<Duration> ALERT_RETENTION =
      GROUP.add(duration("alert-retention", "30d", "1h", MAX, "the server keeps alerts this long"));

  public static final Setting<Duration> BACKFILL_RETENTION =
      GROUP.add(
          duration(
              "backfill-retention",
              "365d",
              "1h",
              MAX,
              "the server keeps backfills this long after they ended"));

  public static final Setting<Duration> BULK_RETENTION =
      GROUP.add(
          duration(
              "bulk-retention",
              "90d",
              "1h",
              MAX,
              "the server keeps bulk operations this long after they ended"));

  public static final Setting<Duration> DEAD_LETTER_RETENTION =
      GROUP.add(
          duration(
              "dead-letter-retention",
              "90d",
              "1h",
              MAX,
              "the server keeps dead letters this long"));

  public static final Setting<Duration> EVENT_RETENTION =
      GROUP.add(
          duration(
              "event-retention",
              "30d",
              "1h",
              MAX,
              "the server keeps events, their keys and what they started this long"));

  public static final Setting<Duration> CHAIN_RETENTION =
      GROUP.add(
          duration(
              "chain-retention",
              "90d",
              "1h",
              MAX,
              "the server keeps what the end of a run started this long"));

  public static final Setting<Duration> REPLICA_RETENTION =
      GROUP.add(
          duration(
              "replica-retention",
              "1d",
              "1m",
              MAX,
              "the server remembers a stopped replica this long"));

  public static final Setting<Duration> CHANGE_RETENTION =
      GROUP.add(
          duration(
              "change-retention",
              "6h",
              "1m",
              MAX,
              "the server keeps changes this long for readers of the change feed"));

  public static final Setting<Duration> CLEAN_INTERVAL =
      GROUP.add(
          duration("clean-interval", "1h", "1s", "1d", "the server removes old data this often"));

  public static final Setting<Duration> JOB_LEASE_TTL =
      GROUP.add(
          duration(
              "job-lease-ttl",
              "30s",
              "1s",
              "10m",
              "another replica takes a periodic job over this long after its holder was last heard;"
                  + " the holder renews its lease three times as often"));

  public static final Setting<Integer> CLEAN_BATCH =
      GROUP.add(
          count(
              "clean-batch",
              10_000,
              1,
              1_000_000,
              "one statement removes at most this many old rows"));

  static {
    GROUP.add(
        Rule.atMost(
            JOB_LEASE_TTL,
            CLEAN_INTERVAL,
            "the job of a dead replica must be taken over within a period",
            "clean-interval=20s"));
    GROUP.add(
        Rule.atMost(
            REPLACED_WORKER_RETENTION,
            WORKER_RETENTION,
            "a replaced worker is not listed longer than others",
            "replaced-worker-retention=2d"));
    GROUP.add(
        Rule.atMost(
            WORKER_RETENTION,
            WORKER_KEY_RETENTION,
            "a listed worker keeps its id",
            "worker-retention=100d"));
  }

  private RetentionGroup() {}
}
