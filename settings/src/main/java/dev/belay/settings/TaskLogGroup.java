package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** Task logs on a server. */
public final class TaskLogGroup {

  static final Group GROUP = new Group("Logs of tasks", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Long> LOG_MAX =
      GROUP.add(
          bytes(
                  "log-max",
                  "10MiB",
                  "4KiB",
                  "16GiB",
                  "the log of one attempt may be this large; the agent keeps its beginning and its"
                      + " end")
              .only(ProcessKind.SERVER, ProcessKind.AGENT, ProcessKind.LITE));

  public static final Setting<Long> LOG_TASK_MAX =
      GROUP.add(
          bytes(
              "log-task-max",
              "100MiB",
              "4KiB",
              "1024GiB",
              "the logs of all attempts of one task may be this large together"));

  public static final Setting<Long> LOG_WORKER_RATE =
      GROUP.add(
          bytes(
              "log-worker-rate",
              "32MiB",
              "64KiB",
              "16GiB",
              "one worker may log this many bytes per second; beyond that it waits"));

  public static final Setting<Long> LOG_DISK_MAX =
      GROUP.add(
          bytes(
              "log-disk-max",
              "20GiB",
              "1MiB",
              "1000000GiB",
              "all logs together may take this much; the server deletes the oldest first"));

  public static final Setting<Long> LOG_DISK_FREE =
      GROUP.add(
          bytes(
              "log-disk-free",
              "256MiB",
              "0",
              "1000000GiB",
              "logs leave this much space free on their disk"));

  public static final Setting<Duration> LOG_ROOM_LOOK =
      GROUP.add(
          duration(
              "log-room-look",
              "10s",
              "100ms",
              "1h",
              "the server checks this often whether old logs must make room"));

  public static final Setting<Duration> LOG_RETRY =
      GROUP.add(
          duration(
              "log-retry",
              "5s",
              "100ms",
              "1m",
              "a worker waits this long when its logs cannot be stored"));

  public static final Setting<Integer> LOG_THREADS =
      GROUP.add(count("log-threads", 4, 1, 256, "this many threads store logs"));

  public static final Setting<Integer> LOG_DISPATCHES_MAX =
      GROUP.add(
          count(
              "log-dispatches-max",
              10_000,
              1,
              1_000_000,
              "the server remembers this many attempts whose logs are growing"));

  static {
    GROUP.add(
        Rule.atMost(LOG_MAX, LOG_TASK_MAX, "a task has at least one attempt", "log-max=200MiB"));
  }

  private TaskLogGroup() {}
}
