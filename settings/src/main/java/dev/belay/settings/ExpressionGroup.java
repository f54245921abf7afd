package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** What the expressions of workflows may cost. */
public final class ExpressionGroup {

  static final Group GROUP = new Group("Expressions", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Integer> EXPRESSION_STEPS =
      GROUP.add(
          count(
              "expression-steps",
              10_000_000,
              1_000,
              900_000_000,
              "the most steps of one expression"));

  public static final Setting<Duration> EXPRESSION_TIME =
      GROUP.add(
          duration(
              "expression-time",
              "2s",
              "10ms",
              "10m",
              "the longest time of one expression on a processor"));

  public static final Setting<Integer> RUN_EXPRESSION_STEPS =
      GROUP.add(
          count(
              "run-expression-steps",
              100_000_000,
              1_000,
              900_000_000,
              "the most steps of a run's expressions at once"));

  public static final Setting<Duration> RUN_EXPRESSION_TIME =
      GROUP.add(
          duration(
              "run-expression-time",
              "10s",
              "10ms",
              "10m",
              "the longest time of a run's expressions at once on a processor"));

  public static final Setting<Integer> RUN_EXPRESSION_CHARS =
      GROUP.add(
          count(
              "run-expression-chars",
              20_000_000,
              1_000,
              900_000_000,
              "the most text of a run's expressions at once"));

  public static final Setting<Integer> PLAN_THREADS =
      GROUP.add(
          count("plan-threads", 1, 1, 256, "threads that evaluate expressions of runs")
              .byDefault("half of the processors, at least 1", _ -> Machine.halfOfTheProcessors()));

  public static final Setting<Integer> PLAN_RUNS =
      GROUP.add(
          count(
              "plan-runs",
              20,
              1,
              10_000,
              "runs whose expressions are evaluated or wait for it in memory"));

  public static final Setting<Integer> PLAN_WAITING =
      GROUP.add(
          count(
              "plan-waiting",
              1_000,
              1,
              100_000,
              "runs that are read again when there is room for them"));

  public static final Setting<Duration> PLAN_PATIENCE =
      GROUP.add(
          duration(
              "plan-patience",
              "20ms",
              "1ms",
              "1s",
              "how long a turn of the leader waits for expressions"));

  public static final Setting<Duration> PLAN_STUCK_GRACE =
      GROUP.add(
          duration(
              "plan-stuck-grace",
              "5s",
              "100ms",
              "5m",
              "an evaluation that has not ended so long after its time never will"));

  public static final Setting<Integer> STRAY_THREADS =
      GROUP.add(
          count(
              "stray-threads",
              4,
              0,
              256,
              "threads that a check or evaluation may keep before its pool goes on with fewer"));

  static {
    GROUP.add(
        Rule.atMost(
            EXPRESSION_STEPS,
            RUN_EXPRESSION_STEPS,
            "one expression is part of its run",
            "expression-steps=200000000"));
    GROUP.add(
        Rule.atMost(
            EXPRESSION_TIME,
            RUN_EXPRESSION_TIME,
            "one expression is part of its run",
            "expression-time=11s"));
  }

  private ExpressionGroup() {}
}
