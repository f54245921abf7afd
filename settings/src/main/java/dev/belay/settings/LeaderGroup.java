package dev.belay.settings;

import static dev.belay.settings.Setting.duration;

import java.time.Duration;
import java.util.List;

/** How a replica becomes, stays and stops being the leader. */
public final class LeaderGroup {

  static final Group GROUP = new Group("Leadership", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Duration> LEADER_RENEW =
      GROUP.add(
          duration(
              "leader-renew",
              "3s",
              "100ms",
              "1m",
              "the leader proves this often that it still leads"));

  public static final Setting<Duration> LEADER_CAMPAIGN =
      GROUP.add(
          duration(
              "leader-campaign",
              "500ms",
              "50ms",
              "1m",
              "a follower tries this often to become the leader"));

  public static final Setting<Duration> LEADER_TRUST =
      GROUP.add(
          duration(
              "leader-trust",
              "8s",
              "500ms",
              "5m",
              "a leader without proof for longer stops working"));

  public static final Setting<Duration> LEADER_QUERY =
      GROUP.add(
          duration(
              "leader-query", "3s", "100ms", "1m", "a query of the election may take this long"));

  public static final Setting<Duration> LEADER_IDLE =
      GROUP.add(
          duration(
              "leader-idle",
              "10s",
              "1s",
              "10m",
              "PostgreSQL frees the lock of a leader that is silent for longer"));

  public static final Setting<Duration> EPOCH_LOCK_WAIT =
      GROUP.add(
          duration(
              "epoch-lock-wait",
              "1s",
              "10ms",
              "1m",
              "a new leader waits this long for writes of the old one, then cuts them off"));

  public static final Setting<Duration> PHASE_BUDGET =
      GROUP.add(
          duration(
              "phase-budget",
              "200ms",
              "10ms",
              "1m",
              "a phase yields after this long, even with more to do"));

  public static final Setting<Duration> TICK_BUDGET =
      GROUP.add(
          duration(
              "tick-budget", "2s", "50ms", "5m", "a tick starts no further round after this long"));

  public static final Setting<Duration> STEP_DOWN =
      GROUP.add(
          duration(
              "step-down",
              "250ms",
              "10ms",
              "1m",
              "a leader that stops waits this long for its work"));

  static {
    GROUP.add(
        new Rule(
            List.of(LEADER_RENEW, LEADER_QUERY, LEADER_TRUST),
            values ->
                values
                        .of(LEADER_RENEW)
                        .plus(values.of(LEADER_QUERY))
                        .compareTo(values.of(LEADER_TRUST))
                    < 0,
            "leader-renew and leader-query together must be below leader-trust: a failing proof"
                + " must end before the trust does",
            List.of("leader-query=6s")));
    GROUP.add(
        Rule.below(
            1,
            LEADER_TRUST,
            LEADER_IDLE,
            "the leader must stop before PostgreSQL frees its lock",
            "leader-idle=7s"));
    GROUP.add(
        Rule.below(
            1, EPOCH_LOCK_WAIT, LEADER_QUERY, "the wait is part of a query", "epoch-lock-wait=3s"));
    GROUP.add(
        Rule.below(1, PHASE_BUDGET, TICK_BUDGET, "a tick has several phases", "phase-budget=3s"));
  }

  private LeaderGroup() {}
}
