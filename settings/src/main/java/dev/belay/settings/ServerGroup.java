package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.list;
import static dev.belay.settings.Setting.path;
import static dev.belay.settings.Setting.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Where a process listens and what it keeps where. */
public final class ServerGroup {

  static final Group GROUP = new Group("Address and files", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Integer> PORT =
      GROUP.add(
          count("port", 8080, 0, 65_535, "the port to listen on; 0 takes a free one").everyday());

  public static final Setting<String> HOST =
      GROUP.add(
          text("host", "the address to listen on; the default is reached from this machine only")
              .byDefault("127.0.0.1")
              .everyday());

  public static final Setting<List<String>> ALLOWED_HOST =
      GROUP.add(
          list("allowed-host", Type.TEXT, "names by which clients may call this server")
              .byDefault("none", _ -> List.of())
              .everyday());

  public static final Setting<String> REPLICA =
      GROUP.add(
          text("replica", "the name of this replica; without one: address and process")
              .only(ProcessKind.SERVER)
              .everyday());

  public static final Setting<Path> DIR =
      GROUP.add(
          path(
                  "dir",
                  "the folder that this process owns; lite has one by default: $BELAY_HOME, else"
                      + " ~/.belay/lite")
              .only(ProcessKind.SERVER, ProcessKind.AGENT, ProcessKind.LITE)
              .required(ProcessKind.SERVER, ProcessKind.AGENT)
              .everyday());

  public static final Setting<Path> LOG_FILE =
      GROUP.add(
          path("log-file", "the log of this process; without one: belay.log in dir, and stderr")
              .only(ProcessKind.SERVER, ProcessKind.AGENT)
              .everyday());

  public static final Setting<Path> API_TOKEN_FILE =
      GROUP.add(
          path("api-token-file", "holds the API's token; replicas share one. Without: token in dir")
              .only(ProcessKind.SERVER)
              .formerly("token-file")
              .everyday());

  public static final Setting<Path> JOIN_TOKEN_FILE =
      GROUP.add(
          path(
                  "join-token-file",
                  "holds the token that lets a worker in. A server has join-token in dir without"
                      + " it; an agent needs it")
              .only(ProcessKind.SERVER, ProcessKind.AGENT)
              .required(ProcessKind.AGENT)
              .everyday());

  public static final Setting<Path> TASK_LOG_DIR =
      GROUP.add(
          path(
                  "task-log-dir",
                  "keeps the logs of tasks; replicas may share one. Without: logs in dir")
              .only(ProcessKind.SERVER)
              .everyday());

  public static final Setting<Duration> IDLE_CONNECTION_MAX =
      GROUP.add(
          duration(
              "idle-connection-max",
              "75s",
              "1s",
              "1h",
              "a client's connection without a request for so long is closed"));

  public static final Setting<Duration> PING =
      GROUP.add(
          duration(
              "ping", "10s", "1s", "10m", "between pings on connections of workers and clients"));

  public static final Setting<Integer> STREAMS_MAX =
      GROUP.add(
          count("streams-max", 1_000, 10, 100_000, "requests at once on one HTTP/2 connection"));

  public static final Setting<Integer> CONNECTIONS_MAX =
      GROUP.add(
          count(
              "connections-max",
              10_000,
              1,
              1_000_000,
              "open connections of clients; fewer when file descriptors are few"));

  public static final Setting<Integer> CONNECTIONS_PER_ADDRESS =
      GROUP.add(
          count(
              "connections-per-address",
              2_000,
              1,
              1_000_000,
              "open connections of clients from one address"));

  private ServerGroup() {}
}
