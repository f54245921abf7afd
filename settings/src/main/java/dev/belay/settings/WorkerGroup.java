package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;
import java.util.List;

/** How a server treats its workers. */
public final class WorkerGroup {

  static final Group GROUP = new Group("Workers of a server", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> HEARTBEAT =
      GROUP.add(
          duration("heartbeat", "5s", "50ms", "10m", "a worker sends a heartbeat this often"));

  public static final Setting<Integer> MISSED_HEARTBEATS =
      GROUP.add(
          count(
              "missed-heartbeats",
              2,
              1,
              100,
              "an attempt that the worker had and that this many heartbeats in a row do not list is"
                  + " lost"));

  public static final Setting<Duration> ABORT_GRACE =
      GROUP.add(
          duration(
              "abort-grace",
              "5s",
              "0s",
              "1h",
              "a task that must end and has no stop_grace gets this long between SIGTERM and"
                  + " SIGKILL"));

  public static final Setting<Integer> WORKER_SLOTS_MAX =
      GROUP.add(
          count("worker-slots-max", 10_000, 1, 100_000, "a worker may offer this many slots"));

  public static final Setting<Long> WORKER_UNREAD_MAX =
      GROUP.add(
          bytes(
              "worker-unread-max",
              "64MiB",
              "64KiB",
              "4GiB",
              "the server disconnects a worker that leaves more unread"));

  public static final Setting<Duration> WORKER_UNREAD_FOR =
      GROUP.add(
          duration(
              "worker-unread-for",
              "30s",
              "1s",
              "1h",
              "the server disconnects a worker that reads nothing for longer"));

  public static final Setting<Long> WORKER_MESSAGE_MAX =
      GROUP.add(
          bytes(
              "worker-message-max",
              "16MiB",
              "1MiB",
              "256MiB",
              "a message from a worker may be this large"));

  public static final Setting<Integer> WORKER_IDS_MAX =
      GROUP.add(
          count(
              "worker-ids-max",
              20_000,
              100,
              1_000_000,
              "one message of a worker may name this many dispatches, and its connection may hold"
                  + " this many"));

  public static final Setting<Integer> WORKER_EVENTS_MAX =
      GROUP.add(
          count(
              "worker-events-max",
              40_000,
              100,
              1_000_000,
              "one worker may have this many results that wait to be written"));

  public static final Setting<Integer> WORKER_LIST_MAX =
      GROUP.add(
          count(
              "worker-list-max",
              100,
              1,
              10_000,
              "a worker may have this many pools, and as many labels and capabilities"));

  public static final Setting<Integer> WORKER_TEXT_MAX =
      GROUP.add(
          count(
              "worker-text-max",
              1_000,
              100,
              10_000,
              "the name, a pool, a label or a capability of a worker may have this many"
                  + " characters"));

  public static final Setting<Integer> SET_ASIDE_FAILURES =
      GROUP.add(
          count(
              "set-aside-failures",
              10,
              0,
              1_000,
              "a worker on which this many tasks in a row fail fast gets no new work while others"
                  + " of its pools do well; 0 means never"));

  public static final Setting<Duration> SET_ASIDE_FAST =
      GROUP.add(
          duration(
              "set-aside-fast",
              "5s",
              "1ms",
              "1h",
              "an attempt that fails within this time fails fast"));

  public static final Setting<Duration> SET_ASIDE_WINDOW =
      GROUP.add(
          duration(
              "set-aside-window",
              "1m",
              "1s",
              "1d",
              "failures that are older do not count against their worker"));

  public static final Setting<Integer> OUTCOME_DETAIL_MAX =
      GROUP.add(
          count(
              "outcome-detail-max",
              4_096,
              100,
              100_000,
              "the server cuts the detail of an outcome to this many characters"));

  public static final Setting<Integer> ASSIGN_MAX =
      GROUP.add(
          count(
              "assign-max",
              500,
              1,
              10_000,
              "one message to a worker holds at most this many tasks"));

  public static final Setting<Long> ASSIGN_BYTES_MAX =
      GROUP.add(
          bytes(
              "assign-bytes-max",
              "1MiB",
              "64KiB",
              "16MiB",
              "one message to a worker is at most this large, unless a single task is larger"));

  static {
    String why = "one late heartbeat must not count as silence";
    GROUP.add(Rule.below(1, HEARTBEAT, EngineGroup.ROUTABLE_SILENCE, why, "heartbeat=31s"));
    GROUP.add(Rule.below(3, HEARTBEAT, ReapGroup.AGENT_SILENT, why, "agent-silent=15s"));
    GROUP.add(Rule.below(3, HEARTBEAT, ReapGroup.DISPATCH_LOST, why, "dispatch-lost=15s"));
    GROUP.add(
        new Rule(
            List.of(HEARTBEAT, ReapGroup.LEASE, ReapGroup.LEASE_MARGIN),
            values ->
                values
                        .of(HEARTBEAT)
                        .multipliedBy(3)
                        .plus(values.of(ReapGroup.LEASE_MARGIN))
                        .compareTo(values.of(ReapGroup.LEASE))
                    < 0,
            "3 times heartbeat and lease-margin together must be below lease: a lease must outlive"
                + " a lost heartbeat",
            List.of("lease=19s")));
  }

  private WorkerGroup() {}
}
