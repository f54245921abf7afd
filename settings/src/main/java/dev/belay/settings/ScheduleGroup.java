package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** How the leader starts runs by itself. */
public final class ScheduleGroup {

  static final Group GROUP = new Group("Triggers", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Integer> SCHEDULE_BATCH =
      GROUP.add(
          count(
              "schedule-batch",
              500,
              1,
              10_000,
              "one transaction decides the due instants of at most this many triggers"));

  public static final Setting<Integer> SCHEDULE_INSTANTS =
      GROUP.add(
          count(
              "schedule-instants",
              200,
              1,
              10_000,
              "one transaction decides at most this many instants of a trigger"));

  public static final Setting<Duration> SCHEDULE_POLL =
      GROUP.add(
          duration(
              "schedule-poll",
              "1s",
              "10ms",
              "1m",
              "the leader looks for due triggers at least this often"));

  public static final Setting<Duration> SCHEDULE_RETRY =
      GROUP.add(
          duration(
              "schedule-retry",
              "30s",
              "100ms",
              "1h",
              "a trigger that could not be decided is tried again after this"));

  public static final Setting<Duration> PARAMS_PATIENCE =
      GROUP.add(
          duration(
              "params-patience",
              "250ms",
              "1ms",
              "1m",
              "a batch waits this long for the parameters of its runs; what takes longer is tried"
                  + " again"));

  public static final Setting<Duration> SCHEDULE_PROMISE =
      GROUP.add(
          duration(
              "schedule-promise",
              "1s",
              "1ms",
              "1h",
              "a timed trigger fires within this time; a later one raises an alert"));

  public static final Setting<Integer> PROMISES_BATCH =
      GROUP.add(
          count(
              "promises-batch",
              100,
              1,
              10_000,
              "one transaction ends or alerts about at most this many runs that take too long"));

  public static final Setting<Integer> BACKFILL_BATCH =
      GROUP.add(
          count(
              "backfill-batch",
              50,
              1,
              1_000,
              "one transaction decides at most this many instants of a backfill"));

  public static final Setting<Integer> BACKFILL_INSTANTS_MAX =
      GROUP.add(
          count(
              "backfill-instants-max",
              100_000,
              1,
              1_000_000,
              "a backfill whose range has more instants is refused"));

  public static final Setting<Integer> BULK_BATCH =
      GROUP.add(
          count(
              "bulk-batch",
              100,
              1,
              1_000,
              "one transaction changes at most this many items of a bulk operation"));

  public static final Setting<Integer> BULK_RUNNING_MAX =
      GROUP.add(
          count(
              "bulk-running-max",
              100,
              1,
              1_000,
              "a bulk operation is refused while this many are RUNNING"));

  private ScheduleGroup() {}
}
