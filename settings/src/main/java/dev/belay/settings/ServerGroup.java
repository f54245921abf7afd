package dev.belay.settings;

import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.list;
import static dev.belay.settings.Setting.path;
import static dev.belay.settings.Setting.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The address and the files of a process. */
public final class ServerGroup {

  static final Group GROUP = new Group("Address and files", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Integer> PORT =
      GROUP.add(
          count("port", 8080, 0, 65_535, "listen on this port; 0 picks a free one").everyday());

  public static final Setting<String> HOST =
      GROUP.add(
          text("host", "listen on this address; only this machine can reach the default")
              .byDefault("127.0.0.1")
              .everyday());

  public static final Setting<List<String>> ALLOWED_HOST =
      GROUP.add(
          list("allowed-host", SettingType.TEXT, "also accept requests for these host names")
              .byDefault("none", _ -> List.of())
              .everyday());

  public static final Setting<String> REPLICA =
      GROUP.add(
          text("replica", "name this replica; the default is its address and process id")
              .only(ProcessKind.SERVER)
              .everyday());

  public static final Setting<Path> DIR =
      GROUP.add(
          path(
                  "dir",
                  "keep the files of this process in this folder; lite defaults to $BELAY_HOME,"
                      + " else ~/.belay/lite")
              .only(ProcessKind.SERVER, ProcessKind.AGENT, ProcessKind.LITE)
              .required(ProcessKind.SERVER, ProcessKind.AGENT)
              .everyday());

  public static final Setting<Path> LOG_FILE =
      GROUP.add(
          path(
                  "log-file",
                  "write the log of this process to this file; by default it goes to belay.log in"
                      + " dir and to stderr")
              .only(ProcessKind.SERVER, ProcessKind.AGENT)
              .everyday());

  public static final Setting<Path> API_TOKEN_FILE =
      GROUP.add(
          path(
                  "api-token-file",
                  "read the API token from this file, which replicas share; the default is token in"
                      + " dir")
              .only(ProcessKind.SERVER)
              .formerly("token-file")
              .everyday());

  public static final Setting<Path> JOIN_TOKEN_FILE =
      GROUP.add(
          path(
                  "join-token-file",
                  "read the token that admits workers from this file; a server's default is"
                      + " join-token in dir")
              .only(ProcessKind.SERVER, ProcessKind.AGENT)
              .required(ProcessKind.AGENT)
              .everyday());

  public static final Setting<Path> TASK_LOG_DIR =
      GROUP.add(
          path(
                  "task-log-dir",
                  "keep task logs in this folder, which replicas may share; the default is logs in"
                      + " dir")
              .only(ProcessKind.SERVER)
              .everyday());

  public static final Setting<Duration> IDLE_CONNECTION_MAX =
      GROUP.add(
          duration(
              "idle-connection-max",
              "75s",
              "1s",
              "1h",
              "the server closes a client connection that had no request for this long"));

  public static final Setting<Duration> PING =
      GROUP.add(
          duration(
              "ping",
              "10s",
              "1s",
              "10m",
              "the server pings connections of workers and clients this often"));

  public static final Setting<Integer> STREAMS_MAX =
      GROUP.add(
          count(
              "streams-max",
              1_000,
              10,
              100_000,
              "one HTTP/2 connection may carry this many requests at once"));

  public static final Setting<Integer> CONNECTIONS_MAX =
      GROUP.add(
          count(
              "connections-max",
              10_000,
              1,
              1_000_000,
              "clients may open this many connections; fewer if file descriptors are scarce"));

  public static final Setting<Integer> CONNECTIONS_PER_ADDRESS =
      GROUP.add(
          count(
              "connections-per-address",
              2_000,
              1,
              1_000_000,
              "clients at one address may open this many connections"));

  private ServerGroup() {}
}
