package dev.belay.settings;

import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** When a replica reports that it is unhealthy. */
public final class HealthGroup {

  static final Group GROUP = new Group("Health", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> BEAT =
      GROUP.add(
          duration("beat", "1s", "50ms", "1m", "a replica sends its replica heartbeat this often"));

  public static final Setting<Duration> PROBE =
      GROUP.add(duration("probe", "1s", "50ms", "1m", "the server probes the database this often"));

  public static final Setting<Duration> DATABASE_SILENCE =
      GROUP.add(
          duration(
              "database-silence",
              "5s",
              "100ms",
              "10m",
              "the database counts as down when it has not answered for longer"));

  public static final Setting<Duration> TICK_SILENCE =
      GROUP.add(
          duration(
              "tick-silence",
              "10s",
              "100ms",
              "10m",
              "a leader is unhealthy when no tick succeeded for longer"));

  public static final Setting<Duration> STEP_MAX =
      GROUP.add(
          duration("step-max", "40s", "1s", "1h", "a loop is stuck when one step takes longer"));

  static {
    GROUP.add(Rule.below(1, PROBE, DATABASE_SILENCE, "probes measure the silence", "probe=6s"));
    GROUP.add(
        Rule.below(
            1,
            EngineGroup.TICK,
            TICK_SILENCE,
            "an idle leader ticks only this often",
            "tick=11s",
            "database-gap=1m"));
    GROUP.add(
        Rule.below(
            1,
            LeaderGroup.TICK_BUDGET,
            TICK_SILENCE,
            "a tick may take its whole budget",
            "tick-budget=11s"));
    GROUP.add(
        Rule.below(
            3,
            BEAT,
            ReapGroup.DATABASE_GAP,
            "one late replica heartbeat must not count as an outage",
            "beat=4s"));
    GROUP.add(
        Rule.below(
            1,
            DatabaseGroup.ENGINE_STATEMENT_MAX,
            STEP_MAX,
            "a step runs at least one statement",
            "engine-statement-max=1m"));
  }

  private HealthGroup() {}
}
