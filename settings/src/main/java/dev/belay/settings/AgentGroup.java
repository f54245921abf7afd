package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.list;
import static dev.belay.settings.Setting.text;

import java.time.Duration;
import java.util.List;

/** A worker and its tasks. */
public final class AgentGroup {

  static final Group GROUP = new Group("Worker", ProcessKind.AGENT, ProcessKind.LITE);

  public static final Setting<List<String>> SERVER =
      GROUP.add(
          list(
                  "server",
                  Type.TEXT,
                  "the servers' addresses, tried in turn, like http://10.0.0.5:8080")
              .only(ProcessKind.AGENT)
              .required(ProcessKind.AGENT)
              .everyday());

  public static final Setting<String> NAME =
      GROUP.add(
          text("name", "the worker's name; without one: that of this machine")
              .only(ProcessKind.AGENT)
              .everyday());

  public static final Setting<List<String>> POOL =
      GROUP.add(
          list("pool", Type.TEXT, "the pools whose tasks the worker takes")
              .byDefault("default")
              .everyday());

  public static final Setting<Integer> SLOTS =
      GROUP.add(
          count("slots", 4, 1, 10_000, "how many tasks run at a time")
              .byDefault("twice the processors, at least 4", _ -> Machine.slots())
              .everyday());

  public static final Setting<List<String>> LABEL =
      GROUP.add(
          list("label", Type.PAIR, "labels of the worker, each like zone=a")
              .byDefault("none", _ -> List.of())
              .everyday());

  public static final Setting<String> TASK_USER =
      GROUP.add(
          text(
                  "task-user",
                  "the user that tasks run as, so that they cannot read tokens, logs and the"
                      + " journal; only as root. Without: tasks run as the worker does")
              .everyday());

  public static final Setting<Duration> STOP_GRACE =
      GROUP.add(
          duration(
              "stop-grace",
              "5s",
              "0s",
              "1h",
              "between SIGTERM and SIGKILL of a task when its worker stops"));

  public static final Setting<Duration> DRAIN_TIMEOUT =
      GROUP.add(
          duration(
              "drain-timeout",
              "10s",
              "100ms",
              "1h",
              "how long a stopping worker waits for its tasks, all together"));

  public static final Setting<Integer> PREPARE_THREADS =
      GROUP.add(count("prepare-threads", 4, 1, 256, "processes that are prepared at once"));

  public static final Setting<Duration> OUTPUT_DRAIN =
      GROUP.add(
          duration(
              "output-drain",
              "1s",
              "10ms",
              "10m",
              "how long output is read after the main process has ended"));

  public static final Setting<Long> DISK_RESERVE =
      GROUP.add(
          bytes(
                  "disk-reserve",
                  "4MiB",
                  "0",
                  "1024GiB",
                  "space kept back for the journal of a worker whose disk is full")
              .everyday());

  public static final Setting<Long> DISK_FREE_MIN =
      GROUP.add(
          bytes(
                  "disk-free-min",
                  "16MiB",
                  "0",
                  "1024GiB",
                  "with less free space the worker takes no work")
              .everyday());

  public static final Setting<Integer> DESCRIPTOR_RESERVE =
      GROUP.add(
          count(
              "descriptor-reserve",
              16,
              0,
              1_000,
              "open files kept back for a worker that has no more of them"));

  public static final Setting<Long> JOURNAL_COMPACT =
      GROUP.add(
          bytes(
              "journal-compact",
              "8MiB",
              "64KiB",
              "1GiB",
              "a journal that is larger is written anew"));

  public static final Setting<Integer> SETTLED_MAX =
      GROUP.add(
          count(
              "settled-max",
              10_000,
              100,
              1_000_000,
              "ended attempts that a worker remembers, so that none starts twice"));

  public static final Setting<Integer> HELD_MAX =
      GROUP.add(
          count(
              "held-max",
              10_000,
              1,
              1_000_000,
              "attempts that a worker holds at once, those whose end is not yet known included"));

  static {
    GROUP.add(
        Rule.below(
            1,
            STOP_GRACE,
            DRAIN_TIMEOUT,
            "a task must be able to end within the drain",
            "stop-grace=11s"));
    GROUP.add(
        Rule.atMost(
            SLOTS, HELD_MAX, "every slot may hold an attempt", "slots=10000", "held-max=9999"));
    GROUP.add(
        Rule.atMost(
            SLOTS,
            WorkerGroup.WORKER_SLOTS_MAX,
            "a server refuses a worker with more",
            "slots=100",
            "worker-slots-max=99"));
  }

  private AgentGroup() {}
}
