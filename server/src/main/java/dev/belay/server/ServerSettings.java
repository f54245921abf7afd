package dev.belay.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How one server replica runs. Every limit and interval is here, so that `belay config` can show it
 * and a test can shorten it.
 *
 * @param host the address to listen on; loopback unless told otherwise
 * @param port 0 takes a free one
 * @param allowedHosts names accepted in the Host header beside localhost and loopback addresses
 * @param apiTokenFile holds the token of the API; made with mode 0600 when it is missing
 * @param joinTokenFile holds the token of workers; made likewise
 * @param logFolder where task logs are kept
 */
public record ServerSettings(
    String replica,
    Edition edition,
    String host,
    int port,
    List<String> allowedHosts,
    Database database,
    Path apiTokenFile,
    Path joinTokenFile,
    Path logFolder,
    Limits limits,
    Intervals intervals) {

  public ServerSettings {
    allowedHosts = List.copyOf(allowedHosts);
  }

  /** The same code with other sizes. */
  public enum Edition {
    LITE(1, 1),
    PRO(16, 256);

    private final int dispatchThreads;
    private final int dispatchQueue;

    Edition(int dispatchThreads, int dispatchQueue) {
      this.dispatchThreads = dispatchThreads;
      this.dispatchQueue = dispatchQueue;
    }

    public int dispatchThreads() {
      return dispatchThreads;
    }

    public int dispatchQueue() {
      return dispatchQueue;
    }
  }

  /** Where PostgreSQL is. */
  public record Database(String jdbcUrl, String user, String password, int poolSize) {
    @Override
    public String toString() {
      return "Database[" + jdbcUrl + ", user=" + user + ", poolSize=" + poolSize + "]";
    }
  }

  /**
   * @param bodyMaxBytes largest request body
   * @param submitMaxTasks most tasks in one submit
   * @param logMaxBytes largest log of one dispatch
   */
  public record Limits(
      long bodyMaxBytes,
      int submitMaxTasks,
      int pageMax,
      long logMaxBytes,
      Duration logRetention,
      Duration idempotencyRetention) {
    public static final Limits DEFAULT =
        new Limits(8L << 20, 1_000, 500, 10L << 20, Duration.ofDays(14), Duration.ofDays(7));
  }

  /**
   * @param tick the longest pause between two ticks of the leader
   * @param report how often a worker reports
   * @param mailboxPoll how often a replica reads the mailbox of its workers without a hint
   */
  public record Intervals(Duration tick, Duration report, Duration mailboxPoll, Duration waitMax) {
    public static final Intervals DEFAULT =
        new Intervals(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(60));
  }
}
