package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.command;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.list;
import static dev.belay.settings.Setting.processors;
import static dev.belay.settings.Setting.text;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A worker and its tasks. */
public final class AgentGroup {

  static final Group GROUP = new Group("Worker", ProcessKind.AGENT, ProcessKind.LITE);

  public static final Setting<List<String>> SERVER =
      GROUP.add(
          list(
                  "server",
                  SettingType.TEXT,
                  "connect to these servers, tried in turn, like http://10.0.0.5:8080")
              .only(ProcessKind.AGENT)
              .required(ProcessKind.AGENT)
              .everyday());

  public static final Setting<String> NAME =
      GROUP.add(
          text("name", "name this worker; the default is the name of the machine")
              .only(ProcessKind.AGENT)
              .everyday());

  public static final Setting<List<String>> POOL =
      GROUP.add(
          list("pool", SettingType.TEXT, "take tasks from these pools")
              .byDefault("default")
              .everyday());

  public static final Setting<Integer> SLOTS =
      GROUP.add(
          count("slots", 4, 1, 10_000, "run this many tasks at once")
              .byDefault("twice the processors, at least 4", _ -> Machine.slots())
              .everyday());

  public static final Setting<List<String>> LABEL =
      GROUP.add(
          list("label", SettingType.PAIR, "give the worker these labels, each like zone=a")
              .byDefault("none", _ -> List.of())
              .everyday());

  public static final Setting<List<String>> CAPABILITY =
      GROUP.add(
          list("capability", SettingType.NAME, "the worker can do this; a task may require it")
              .byDefault("none", _ -> List.of())
              .everyday());

  public static final Setting<Long> MEMORY =
      GROUP.add(
          bytes(
                  "memory",
                  "1GiB",
                  "1MiB",
                  "1048576GiB",
                  "tasks that declare their memory may use this much together")
              .byDefault("what the machine or its control group has", _ -> Machine.memory())
              .everyday());

  public static final Setting<Integer> CPU =
      GROUP.add(
          processors(
                  "cpu",
                  "1",
                  "0.001",
                  "100000",
                  "tasks that declare their processors may use this many together")
              .byDefault("what the machine or its control group has", _ -> Machine.cpuMillis())
              .everyday());

  public static final Setting<List<String>> GPU_LOAD_COMMAND =
      GROUP.add(
          command(
              "gpu-load-command",
              "this program prints how busy the GPUs are: a percentage, or one on each line, whose"
                  + " mean counts; without it the load is not known"));

  public static final Setting<Duration> GPU_LOAD_INTERVAL =
      GROUP.add(
          duration(
              "gpu-load-interval",
              "10s",
              "1s",
              "1h",
              "the worker runs gpu-load-command this often"));

  public static final Setting<Duration> GPU_LOAD_TIMEOUT =
      GROUP.add(
          duration(
              "gpu-load-timeout",
              "5s",
              "100ms",
              "1h",
              "the worker ends a gpu-load-command that takes longer; the load is not known then"));

  public static final Setting<String> TASK_USER =
      GROUP.add(
          text(
                  "task-user",
                  "run tasks as this user, who cannot read tokens, logs and the journal; needs"
                      + " root. The default is the worker's own user")
              .everyday());

  public static final Setting<Duration> STOP_GRACE =
      GROUP.add(
          duration(
              "stop-grace",
              "5s",
              "0s",
              "1h",
              "when the worker stops, or ends a task for a timeout or stall, a task without"
                  + " stop_grace gets this long between SIGTERM and SIGKILL"));

  public static final Setting<Duration> DRAIN_TIMEOUT =
      GROUP.add(
          duration(
              "drain-timeout",
              "10s",
              "100ms",
              "1h",
              "a stopping worker waits this long for all its tasks together"));

  public static final Setting<Integer> PREPARE_THREADS =
      GROUP.add(
          count("prepare-threads", 4, 1, 256, "the worker prepares this many processes at once"));

  public static final Setting<Duration> OUTPUT_DRAIN =
      GROUP.add(
          duration(
              "output-drain",
              "1s",
              "10ms",
              "10m",
              "the worker reads output this long after the main process has ended"));

  public static final Setting<Long> DISK_RESERVE =
      GROUP.add(
          bytes(
                  "disk-reserve",
                  "4MiB",
                  "0",
                  "1024GiB",
                  "the worker reserves this much space for its journal, for when the disk is full")
              .everyday());

  public static final Setting<Long> DISK_FREE_MIN =
      GROUP.add(
          bytes(
                  "disk-free-min",
                  "16MiB",
                  "0",
                  "1024GiB",
                  "the worker takes no tasks while less space is free")
              .everyday());

  public static final Setting<Integer> DESCRIPTOR_RESERVE =
      GROUP.add(
          count(
              "descriptor-reserve",
              16,
              0,
              1_000,
              "the worker reserves this many open files, for when there are no more"));

  public static final Setting<Long> JOURNAL_COMPACT =
      GROUP.add(
          bytes(
              "journal-compact",
              "8MiB",
              "64KiB",
              "1GiB",
              "the worker rewrites a journal that is larger"));

  public static final Setting<Integer> SETTLED_MAX =
      GROUP.add(
          count(
              "settled-max",
              10_000,
              100,
              1_000_000,
              "the worker remembers this many ended attempts and starts none of them twice"));

  public static final Setting<Integer> HELD_MAX =
      GROUP.add(
          count(
              "held-max",
              10_000,
              1,
              1_000_000,
              "the worker holds this many attempts, including those whose end the server does not"
                  + " know yet"));

  static {
    GROUP.add(
        new Rule(
            List.of(LABEL),
            values -> names(values.of(LABEL)).distinct().count() == values.of(LABEL).size(),
            "label must not give a name twice: it has one value",
            List.of("label=zone=a,zone=b")));
    GROUP.add(
        Rule.below(
            1,
            STOP_GRACE,
            DRAIN_TIMEOUT,
            "a task must be able to end within the drain timeout",
            "stop-grace=11s"));
    GROUP.add(
        Rule.atMost(
            SLOTS, HELD_MAX, "each slot may hold an attempt", "slots=10000", "held-max=9999"));
    GROUP.add(
        Rule.atMost(
            SLOTS,
            WorkerGroup.WORKER_SLOTS_MAX,
            "a server refuses a worker with more slots",
            "slots=100",
            "worker-slots-max=99"));
  }

  private static Stream<String> names(List<String> labels) {
    return labels.stream().map(label -> label.substring(0, label.indexOf('=')));
  }

  private AgentGroup() {}
}
