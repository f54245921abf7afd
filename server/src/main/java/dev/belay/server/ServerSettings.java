package dev.belay.server;

import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.engine.leader.LeaderSettings;
import dev.belay.store.leader.ElectionSettings;
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

  /** How often a replica says that it can write. */
  public static final Duration BEAT = Duration.ofSeconds(1);

  /** How soon what hangs is found, with these settings. */
  public Promises promises() {
    ReapSettings reap = intervals.reap();
    return new Promises(
        reap.liveness().gone(),
        reap.liveness().silent(),
        reap.liveness().dispatchLost(),
        intervals.report(),
        reap.waits().pending(),
        reap.waits().orphan());
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

    public static final int POOL_SIZE_MIN = 6;
    private static final int ENGINE_MIN = 4;

    public Database {
      if (poolSize < POOL_SIZE_MIN) {
        throw new IllegalArgumentException("poolSize must be at least " + POOL_SIZE_MIN);
      }
    }

    /** What of the pool belongs to the engine; the rest serves the API. */
    public int engineConnections() {
      return Math.max(ENGINE_MIN, poolSize / 2);
    }

    public int apiConnections() {
      return poolSize - engineConnections();
    }

    @Override
    public String toString() {
      return "Database[" + jdbcUrl + ", user=" + user + ", poolSize=" + poolSize + "]";
    }
  }

  /**
   * @param tick the longest pause between two ticks of the leader
   * @param report how often a worker reports
   * @param mailboxPoll how often a replica reads the mailbox of its workers without a hint
   * @param routableSilence a worker that was silent for longer gets no new work
   * @param abortGrace what a worker gives a task to end by itself
   * @param reap when what hangs is given up
   */
  public record Intervals(
      Duration tick,
      Duration report,
      Duration mailboxPoll,
      Duration waitMax,
      Duration routableSilence,
      Duration abortGrace,
      Leading leading,
      Watching watching,
      ReapSettings reap) {
    public static final Intervals DEFAULT =
        new Intervals(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(2),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Leading.DEFAULT,
            Watching.DEFAULT,
            ReapSettings.DEFAULT);

    public Intervals {
      requireBelow("report", report, "routableSilence", routableSilence);
      requireBelow("tick", tick, "tickSilence", watching.tickSilence());
      // A tick may take its budget, and one statement of a phase may begin at its end.
      requireBelow(
          "tickBudget", leading.rule().tickBudget(), "tickSilence", watching.tickSilence());
      requireBelow("3 reports", report.multipliedBy(3), "agent-silent", reap.liveness().silent());
      requireBelow("3 reports", report.multipliedBy(3), "lease", reap.lease().endsAfter());
      requireBelow(
          "3 reports", report.multipliedBy(3), "dispatch-lost", reap.liveness().dispatchLost());
      // The reaper looks at each second tick at least, and a replica says each second that it can
      // write.
      requireBelow("3 ticks", tick.multipliedBy(3), "database-gap", reap.grace().databaseGap());
      requireBelow("3 beats", BEAT.multipliedBy(3), "database-gap", reap.grace().databaseGap());
    }

    public Intervals withTick(Duration longestPause) {
      return new Intervals(
          longestPause,
          report,
          mailboxPoll,
          waitMax,
          routableSilence,
          abortGrace,
          leading,
          watching,
          reap);
    }

    public Intervals withReap(ReapSettings other) {
      return new Intervals(
          tick,
          report,
          mailboxPoll,
          waitMax,
          routableSilence,
          abortGrace,
          leading,
          watching,
          other);
    }

    public Intervals withWatching(Watching other) {
      return new Intervals(
          tick, report, mailboxPoll, waitMax, routableSilence, abortGrace, leading, other, reap);
    }
  }

  /**
   * How this replica leads. A proof of leadership that fails ends before the trust does, and trust
   * before the database gives the lock away.
   *
   * @param stepDown how long a leader that stops waits for its tick, and for its claims
   */
  public record Leading(LeaderSettings rule, ElectionSettings election, Duration stepDown) {
    public static final Leading DEFAULT =
        new Leading(LeaderSettings.DEFAULT, ElectionSettings.DEFAULT, Duration.ofMillis(250));

    public Leading {
      requireBelow("renew + query", rule.renew().plus(election.query()), "trust", rule.trust());
      requireBelow("trust", rule.trust(), "idle", election.idle());
    }
  }

  /**
   * When this replica calls itself unhealthy.
   *
   * @param probe how often the database is asked for an answer
   * @param databaseSilence the database is away when it has not answered for this long
   * @param tickSilence the scheduler stands still when no tick ended well for this long
   * @param stepMax a loop is stuck when one step takes longer
   */
  public record Watching(
      Duration probe, Duration databaseSilence, Duration tickSilence, Duration stepMax) {
    public static final Watching DEFAULT =
        new Watching(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(40));

    public Watching {
      requireBelow("probe", probe, "databaseSilence", databaseSilence);
    }
  }

  private static void requireBelow(String name, Duration less, String other, Duration more) {
    if (!less.isPositive() || less.compareTo(more) >= 0) {
      throw new IllegalArgumentException(
          "%s (%s) must be positive and below %s (%s)".formatted(name, less, other, more));
    }
  }
}
