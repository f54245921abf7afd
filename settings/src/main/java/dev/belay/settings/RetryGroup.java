package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.flag;
import static dev.belay.settings.Setting.list;

import java.time.Duration;
import java.util.List;

/** How long a task waits for its next attempt if its workflow file does not set it. */
public final class RetryGroup {

  static final Group GROUP = new Group("Retries", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<List<Duration>> CRASH_WAITS =
      GROUP.add(
          list(
                  "crash-waits",
                  SettingType.DURATION,
                  "a task waits this long before its first, second, ... retry after a crash; the"
                      + " last value repeats. After a loss the first retry is at once, then these"
                      + " apply")
              .byDefault("1m,5m,15m,30m"));

  public static final Setting<List<Duration>> UNAVAILABLE_WAITS =
      GROUP.add(
          list(
                  "unavailable-waits",
                  SettingType.DURATION,
                  "a task waits this long before its first, second, ... retry when what it needs"
                      + " is unavailable; the last value repeats")
              .byDefault("2m,5m,10m,15m"));

  public static final Setting<Duration> REFUSED_WAIT =
      GROUP.add(
          duration(
              "refused-wait",
              "500ms",
              "10ms",
              "1m",
              "a task that a worker refused waits this long"));

  public static final Setting<Duration> PLACEMENT_WAIT =
      GROUP.add(
          duration(
              "placement-wait",
              "1s",
              "10ms",
              "1h",
              "Belay looks again this long after it found that nothing can run a task: no pool has"
                  + " its topic or what it requires, or no worker of its pool ever came; twice as"
                  + " long after each further look. A full system and workers that are away use up"
                  + " no looks"));

  public static final Setting<Duration> PLACEMENT_WAIT_MAX =
      GROUP.add(duration("placement-wait-max", "30s", "10ms", "1d", "the longest such wait"));

  public static final Setting<Duration> PLACEMENT_JITTER =
      GROUP.add(
          duration(
              "placement-jitter",
              "500ms",
              "0s",
              "1m",
              "such a wait is longer by a random time of at most this"));

  public static final Setting<Integer> PLACEMENT_ATTEMPTS =
      GROUP.add(
          count(
              "placement-attempts",
              50,
              1,
              1_000,
              "a task that nothing could run at so many looks is FAILED, with a dead letter"));

  public static final Setting<Duration> DISPATCH_FAILED_WAIT =
      GROUP.add(
          duration(
              "dispatch-failed-wait",
              "1s",
              "10ms",
              "1h",
              "a task waits this long after a worker could not start a process; twice as long after"
                  + " each further failure"));

  public static final Setting<Duration> DISPATCH_FAILED_WAIT_MAX =
      GROUP.add(duration("dispatch-failed-wait-max", "30s", "10ms", "1d", "the longest such wait"));

  public static final Setting<Duration> DISPATCH_FAILED_JITTER =
      GROUP.add(
          duration(
              "dispatch-failed-jitter",
              "500ms",
              "0s",
              "1m",
              "such a wait is longer by a random time of at most this"));

  public static final Setting<Integer> DISPATCH_FAILED_ATTEMPTS =
      GROUP.add(
          count(
              "dispatch-failed-attempts",
              50,
              1,
              10_000,
              "a task that workers could not start this often is FAILED, with a dead letter"));

  public static final Setting<Boolean> DEAD_LETTER_FAILED =
      GROUP.add(
          flag(
              "dead-letter-failed",
              "every task without a run that fails has a dead letter, also one whose command has"
                  + " failed"));

  static {
    GROUP.add(
        Rule.atMost(
            PLACEMENT_WAIT,
            PLACEMENT_WAIT_MAX,
            "the first wait is not longer than the longest",
            "placement-wait=1m"));
    GROUP.add(
        Rule.atMost(
            DISPATCH_FAILED_WAIT,
            DISPATCH_FAILED_WAIT_MAX,
            "the first wait is not longer than the longest",
            "dispatch-failed-wait=1m"));
  }

  private RetryGroup() {}
}
