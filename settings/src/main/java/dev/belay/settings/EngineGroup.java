package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** How the engine plans, dispatches and writes results. */
public final class EngineGroup {

  static final Group GROUP = new Group("Engine", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> TICK =
      GROUP.add(
          duration("tick", "1s", "10ms", "1m", "the leader starts a tick at least this often"));

  public static final Setting<Integer> TICK_ROUNDS =
      GROUP.add(
          count(
              "tick-rounds",
              100,
              1,
              10_000,
              "one tick plans and dispatches in at most this many rounds"));

  public static final Setting<Integer> MARKS_MAX =
      GROUP.add(count("marks-max", 1_000, 1, 100_000, "one plan reads at most this many marks"));

  public static final Setting<Integer> DUES_MAX =
      GROUP.add(
          count(
              "dues-max",
              1_000,
              1,
              100_000,
              "one statement promotes at most this many due retries"));

  public static final Setting<Integer> CLAIM_MAX =
      GROUP.add(count("claim-max", 500, 1, 10_000, "one claim dispatches at most this many tasks"));

  public static final Setting<Integer> RESULTS_BATCH =
      GROUP.add(
          count(
              "results-batch",
              1_000,
              1,
              10_000,
              "one transaction writes at most this many results"));

  public static final Setting<Integer> RESULTS_QUEUE =
      GROUP.add(
          count(
              "results-queue",
              20_000,
              100,
              1_000_000,
              "this many results may wait to be written; then the server slows its workers down"));

  public static final Setting<Duration> RESULTS_RETRY =
      GROUP.add(
          duration(
              "results-retry",
              "200ms",
              "10ms",
              "10s",
              "the server waits this long after a failed write of results"));

  public static final Setting<Duration> MAILBOX_POLL =
      GROUP.add(
          duration(
              "mailbox-poll",
              "2s",
              "50ms",
              "1m",
              "the server reads mailboxes this often without a hint"));

  public static final Setting<Duration> ROUTABLE_SILENCE =
      GROUP.add(
          duration(
              "routable-silence",
              "30s",
              "100ms",
              "1h",
              "a worker that is silent for longer gets no new tasks"));

  public static final Setting<Integer> WORKFLOWS_CACHED =
      GROUP.add(
          count(
              "workflows-cached",
              2_000,
              1,
              100_000,
              "the engine keeps this many workflow versions in memory"));

  static {
    GROUP.add(
        Rule.atMost(
            RESULTS_BATCH, RESULTS_QUEUE, "a batch is taken from the queue", "results-queue=500"));
  }

  private EngineGroup() {}
}
