package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** The logs of tasks on a server. */
public final class TaskLogGroup {

  static final Group GROUP = new Group("Logs of tasks", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Long> LOG_MAX =
      GROUP.add(
          bytes(
                  "log-max",
                  "10MiB",
                  "4KiB",
                  "16GiB",
                  "the largest log of one attempt; an agent keeps its beginning and its end")
              .only(ProcessKind.SERVER, ProcessKind.AGENT, ProcessKind.LITE));

  public static final Setting<Long> LOG_TASK_MAX =
      GROUP.add(
          bytes(
              "log-task-max",
              "100MiB",
              "4KiB",
              "1024GiB",
              "the most that is kept of all attempts of one task"));

  public static final Setting<Long> LOG_WORKER_RATE =
      GROUP.add(
          bytes(
              "log-worker-rate",
              "32MiB",
              "64KiB",
              "16GiB",
              "bytes that one worker may log a second; it waits beyond"));

  public static final Setting<Long> LOG_DISK_MAX =
      GROUP.add(
          bytes(
              "log-disk-max",
              "20GiB",
              "1MiB",
              "1000000GiB",
              "the most that all logs may take; the oldest go first"));

  public static final Setting<Long> LOG_DISK_FREE =
      GROUP.add(
          bytes(
              "log-disk-free",
              "256MiB",
              "0",
              "1000000GiB",
              "space that logs leave free on their disk"));

  public static final Setting<Duration> LOG_ROOM_LOOK =
      GROUP.add(
          duration(
              "log-room-look",
              "10s",
              "100ms",
              "1h",
              "how often the space of the logs is looked at"));

  public static final Setting<Duration> LOG_RETRY =
      GROUP.add(
          duration(
              "log-retry",
              "5s",
              "100ms",
              "1m",
              "how long a worker waits when its logs cannot be stored"));

  public static final Setting<Integer> LOG_THREADS =
      GROUP.add(count("log-threads", 4, 1, 256, "threads that store logs"));

  public static final Setting<Integer> LOG_DISPATCHES_MAX =
      GROUP.add(
          count(
              "log-dispatches-max",
              10_000,
              1,
              1_000_000,
              "attempts whose growing logs are remembered"));

  static {
    GROUP.add(
        Rule.atMost(LOG_MAX, LOG_TASK_MAX, "a task has at least one attempt", "log-max=200MiB"));
  }

  private TaskLogGroup() {}
}
