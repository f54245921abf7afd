package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;

import java.time.Duration;

/** A worker's way to its server. */
public final class AgentLinkGroup {

  static final Group GROUP = new Group("Worker's connection", ProcessKind.AGENT, ProcessKind.LITE);

  public static final Setting<Duration> RECONNECT_MIN =
      GROUP.add(
          duration(
              "reconnect-min",
              "100ms",
              "10ms",
              "1m",
              "the longest wait before the first try to reconnect"));

  public static final Setting<Duration> RECONNECT_MAX =
      GROUP.add(
          duration("reconnect-max", "10s", "10ms", "10m", "the longest wait before any reconnect"));

  public static final Setting<Duration> SERVER_CONNECT_MAX =
      GROUP.add(
          duration(
              "server-connect-max",
              "5s",
              "100ms",
              "10m",
              "the longest try to connect to a server"));

  public static final Setting<Duration> SERVER_PING =
      GROUP.add(
          duration(
              "server-ping",
              "5s",
              "1s",
              "10m",
              "between a worker's pings; a server that does not answer one in time is given up"));

  public static final Setting<Duration> WELCOME_MAX =
      GROUP.add(
          duration(
              "welcome-max",
              "1500ms",
              "100ms",
              "10m",
              "a server that has not welcomed the worker for so long is given up"));

  public static final Setting<Duration> SERVER_SILENCE =
      GROUP.add(
          duration(
              "server-silence",
              "10s",
              "200ms",
              "10m",
              "a connection on which the server said nothing for so long is given up"));

  public static final Setting<Long> SERVER_MESSAGE_MAX =
      GROUP.add(
          bytes("server-message-max", "64MiB", "1MiB", "1GiB", "the largest message of a server"));

  public static final Setting<Integer> JOURNAL_BATCH =
      GROUP.add(
          count("journal-batch", 500, 1, 10_000, "events that share one write of the journal"));

  public static final Setting<Duration> DISK_LOOK =
      GROUP.add(
          duration("disk-look", "1s", "50ms", "1m", "how often a worker looks at its free space"));

  static {
    GROUP.add(
        Rule.atMost(
            RECONNECT_MIN, RECONNECT_MAX, "waits grow from one to the other", "reconnect-min=11s"));
    GROUP.add(
        Rule.atMost(
            WELCOME_MAX, SERVER_SILENCE, "waits grow from one to the other", "welcome-max=11s"));
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
            "a server speaks when it hears a heartbeat",
            "server-silence=5s"));
  }

  private AgentLinkGroup() {}
}
