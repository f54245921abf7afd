package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** How long a server keeps what is over. */
public final class RetentionGroup {

  private static final String MAX = "3650d";

  static final Group GROUP = new Group("Retention", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> LOG_RETENTION =
      GROUP.add(duration("log-retention", "14d", "1h", MAX, "how long the logs of tasks are kept"));

  public static final Setting<Duration> IDEMPOTENCY_RETENTION =
      GROUP.add(
          duration(
              "idempotency-retention",
              "7d",
              "1m",
              MAX,
              "how long idempotency keys are remembered"));

  public static final Setting<Duration> WORKER_RETENTION =
      GROUP.add(
          duration(
              "worker-retention",
              "1d",
              "1m",
              MAX,
              "how long a worker that is not heard is listed"));

  public static final Setting<Duration> REPLACED_WORKER_RETENTION =
      GROUP.add(
          duration(
              "replaced-worker-retention", "1h", "1m", MAX, "the same when its name joined anew"));

  public static final Setting<Duration> WORKER_KEY_RETENTION =
      GROUP.add(
          duration(
              "worker-key-retention",
              "90d",
              "1h",
              MAX,
              "how long nobody else can take a worker's id"));

  public static final Setting<Duration> RECOVERY_RETENTION =
      GROUP.add(duration("recovery-retention", "90d", "1h", MAX, "how long recoveries are kept"));

  public static final Setting<Duration> ALERT_RETENTION =
      GROUP.add(duration("alert-retention", "30d", "1h", MAX, "how long alerts are kept"));

  public static final Setting<Duration> REPLICA_RETENTION =
      GROUP.add(
          duration(
              "replica-retention",
              "1d",
              "1m",
              MAX,
              "how long a replica that is gone is remembered"));

  public static final Setting<Duration> CLEAN_INTERVAL =
      GROUP.add(
          duration("clean-interval", "1h", "1s", "1d", "how often what is too old is removed"));

  public static final Setting<Integer> CLEAN_BATCH =
      GROUP.add(count("clean-batch", 10_000, 1, 1_000_000, "rows that one statement removes"));

  public static final Setting<Integer> PARTITION_WEEKS =
      GROUP.add(count("partition-weeks", 2, 1, 52, "for how many weeks ahead partitions are made"));

  static {
    GROUP.add(
        Rule.atMost(
            REPLACED_WORKER_RETENTION,
            WORKER_RETENTION,
            "a replaced worker is listed no longer than another",
            "replaced-worker-retention=2d"));
    GROUP.add(
        Rule.atMost(
            WORKER_RETENTION,
            WORKER_KEY_RETENTION,
            "a worker's id is its own while it is listed",
            "worker-retention=100d"));
  }

  private RetentionGroup() {}
}
