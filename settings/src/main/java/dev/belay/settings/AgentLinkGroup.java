package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** The connection of a worker to its server. */
public final class AgentLinkGroup {

  static final Group GROUP = new Group("Worker's connection", ProcessKind.AGENT, ProcessKind.LITE);

  public static final Setting<Duration> RECONNECT_MIN =
      GROUP.add(
          duration(
              "reconnect-min",
              "100ms",
              "10ms",
              "1m",
              "the worker waits at most this long before its first try to reconnect"));

  public static final Setting<Duration> RECONNECT_MAX =
      GROUP.add(
          duration(
              "reconnect-max",
              "10s",
              "10ms",
              "10m",
              "the worker waits at most this long before any try to reconnect"));

  public static final Setting<Duration> SERVER_CONNECT_MAX =
      GROUP.add(
          duration(
              "server-connect-max",
              "5s",
              "100ms",
              "10m",
              "one try to connect to a server may take this long"));

  public static final Setting<Duration> SERVER_PING =
      GROUP.add(
          duration(
              "server-ping",
              "5s",
              "1s",
              "10m",
              "the worker pings its server this often, and leaves one that does not answer in"
                  + " time"));

  public static final Setting<Duration> WELCOME_MAX =
      GROUP.add(
          duration(
              "welcome-max",
              "1500ms",
              "100ms",
              "10m",
              "the worker leaves a server that has not welcomed it after this long"));

  public static final Setting<Duration> SERVER_SILENCE =
      GROUP.add(
          duration(
              "server-silence",
              "10s",
              "200ms",
              "10m",
              "the worker leaves a server that has sent nothing for this long"));

  public static final Setting<Long> SERVER_MESSAGE_MAX =
      GROUP.add(
          bytes(
              "server-message-max",
              "64MiB",
              "1MiB",
              "1GiB",
              "a message from a server may be this large"));

  public static final Setting<Integer> JOURNAL_BATCH =
      GROUP.add(
          count(
              "journal-batch", 500, 1, 10_000, "this many events share one write of the journal"));

  public static final Setting<Duration> DISK_LOOK =
      GROUP.add(
          duration("disk-look", "1s", "50ms", "1m", "the worker checks its free space this often"));

  static {
    GROUP.add(
        Rule.atMost(
            RECONNECT_MIN,
            RECONNECT_MAX,
            "the waits grow from the first to the second",
            "reconnect-min=11s"));
    GROUP.add(
        Rule.atMost(
            WELCOME_MAX,
            SERVER_SILENCE,
            "the waits grow from the first to the second",
            "welcome-max=11s"));
    GROUP.add(
        Rule.below(
            1,
            RECONNECT_MAX,
            ReapGroup.TAKEOVER_GRACE,
            "a worker must be able to come back within the grace",
            "reconnect-max=31s"));
    GROUP.add(
        Rule.below(
            1,
            WorkerGroup.HEARTBEAT,
            SERVER_SILENCE,
            "a server answers each heartbeat",
            "server-silence=5s"));
  }

  private AgentLinkGroup() {}
}
