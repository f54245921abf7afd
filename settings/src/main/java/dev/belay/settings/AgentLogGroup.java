package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** Task logs on a worker, until the server has them. */
public final class AgentLogGroup {

  static final Group GROUP = new Group("Logs on a worker", ProcessKind.AGENT, ProcessKind.LITE);

  public static final Setting<Long> LOG_SPOOL_MAX =
      GROUP.add(
          bytes(
              "log-spool-max",
              "1GiB",
              "1MiB",
              "1024GiB",
              "logs that the server does not have yet may take this much; the oldest ended ones go"
                  + " first"));

  public static final Setting<Long> LOG_LINE_MAX =
      GROUP.add(bytes("log-line-max", "8KiB", "256B", "64KiB", "the worker splits longer lines"));

  public static final Setting<Long> LOG_CHUNK_MAX =
      GROUP.add(
          bytes(
              "log-chunk-max",
              "64KiB",
              "1KiB",
              "1MiB",
              "the worker sends at most this much of a log at a time"));

  public static final Setting<Integer> LOG_IN_FLIGHT =
      GROUP.add(
          count(
              "log-in-flight",
              64,
              1,
              10_000,
              "this many chunks may be sent and not yet acknowledged"));

  public static final Setting<Integer> LOG_RESENDS =
      GROUP.add(
          count(
              "log-resends",
              10,
              1,
              1_000,
              "the worker gives up a log after this many failed tries in a row"));

  public static final Setting<Duration> LOG_SHIP_WAIT =
      GROUP.add(
          duration("log-ship-wait", "5s", "10ms", "10m", "an outcome waits this long for its log"));

  public static final Setting<Duration> LOG_PAUSE_MAX =
      GROUP.add(
          duration(
              "log-pause-max",
              "1m",
              "100ms",
              "1h",
              "a server may ask a worker to pause for this long"));

  static {
    GROUP.add(
        Rule.atMost(
            LOG_LINE_MAX,
            LOG_CHUNK_MAX,
            "a line must fit into a chunk",
            "log-line-max=64KiB",
            "log-chunk-max=32KiB"));
    GROUP.add(
        Rule.atMost(TaskLogGroup.LOG_MAX, LOG_SPOOL_MAX, "one log must fit", "log-spool-max=5MiB"));
    GROUP.add(
        Rule.atMost(
            TaskLogGroup.LOG_RETRY,
            LOG_PAUSE_MAX,
            "a worker must be able to wait that long",
            "log-pause-max=4s"));
  }

  private AgentLogGroup() {}
}
