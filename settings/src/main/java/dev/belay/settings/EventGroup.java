package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.path;

import java.nio.file.Path;
import java.time.Duration;

/** Events, webhooks, and runs that cause runs. */
public final class EventGroup {

  static final Group GROUP = new Group("Events", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Integer> CHAIN_DEPTH_MAX =
      GROUP.add(
          count(
              "chain-depth-max",
              100,
              1,
              10_000,
              "this many runs in a row may cause each other; then the next one does not start"));

  public static final Setting<Long> EVENT_DATA_MAX =
      GROUP.add(
          bytes("event-data-max", "64KiB", "1KiB", "256KiB", "limit of the data of an event"));

  public static final Setting<Integer> EVENTS_MAX =
      GROUP.add(
          count("events-max", 1_000, 1, 10_000, "one request sends at most this many events"));

  public static final Setting<Path> HOOK_DIR =
      GROUP.add(
          path(
              "hook-dir",
              "folder of the webhooks: NAME.token lets POST /hooks/NAME/TOKEN send the event NAME,"
                  + " and NAME.hmac has the key of its signatures"));

  public static final Setting<Duration> HOOK_SKEW =
      GROUP.add(
          duration(
              "hook-skew",
              "5m",
              "1s",
              "1d",
              "the time in a signature of a webhook may differ from the server's by this much"));

  private EventGroup() {}
}
