package dev.belay.settings;

import static dev.belay.settings.Setting.duration;
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

  private RetryGroup() {}
}
