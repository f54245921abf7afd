package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** Limits of the expressions in workflows. */
public final class ExpressionGroup {

  static final Group GROUP = new Group("Expressions", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Integer> EXPRESSION_STEPS =
      GROUP.add(
          count(
              "expression-steps",
              10_000_000,
              1_000,
              900_000_000,
              "one expression may take this many steps"));

  public static final Setting<Duration> EXPRESSION_TIME =
      GROUP.add(
          duration(
              "expression-time",
              "2s",
              "10ms",
              "10m",
              "one expression may take this much processor time"));

  public static final Setting<Integer> RUN_EXPRESSION_STEPS =
      GROUP.add(
          count(
              "run-expression-steps",
              100_000_000,
              1_000,
              900_000_000,
              "expressions of a run that are evaluated together may take this many steps"));

  public static final Setting<Duration> RUN_EXPRESSION_TIME =
      GROUP.add(
          duration(
              "run-expression-time",
              "10s",
              "10ms",
              "10m",
              "expressions of a run that are evaluated together may take this much processor"
                  + " time"));

  public static final Setting<Integer> RUN_EXPRESSION_CHARS =
      GROUP.add(
          count(
              "run-expression-chars",
              20_000_000,
              1_000,
              900_000_000,
              "expressions of a run that are evaluated together may produce this many characters"));

  public static final Setting<Integer> PLAN_THREADS =
      GROUP.add(
          count("plan-threads", 1, 1, 256, "this many threads evaluate expressions of runs")
              .byDefault("half of the processors, at least 1", _ -> Machine.halfOfTheProcessors()));

  public static final Setting<Integer> PLAN_RUNS =
      GROUP.add(
          count(
              "plan-runs",
              20,
              1,
              10_000,
              "this many runs may be in memory while their expressions are evaluated or wait"));

  public static final Setting<Integer> PLAN_WAITING =
      GROUP.add(
          count(
              "plan-waiting",
              1_000,
              1,
              100_000,
              "this many further runs may wait until there is room to read them again"));

  public static final Setting<Duration> PLAN_PATIENCE =
      GROUP.add(
          duration("plan-patience", "20ms", "1ms", "1s", "a tick waits this long for expressions"));

  public static final Setting<Duration> PLAN_STUCK_GRACE =
      GROUP.add(
          duration(
              "plan-stuck-grace",
              "5s",
              "100ms",
              "5m",
              "an evaluation that has not ended this long after its time limit is given up"));

  public static final Setting<Integer> STRAY_THREADS =
      GROUP.add(
          count(
              "stray-threads",
              4,
              0,
              256,
              "a pool replaces this many threads that do not come back, then continues with"
                  + " fewer"));

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
