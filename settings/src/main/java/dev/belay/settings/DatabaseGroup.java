package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;
import static dev.belay.settings.Setting.duration;
import static dev.belay.settings.Setting.flag;
import static dev.belay.settings.Setting.path;
import static dev.belay.settings.Setting.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The address of PostgreSQL, and the connections and statements of a process. */
public final class DatabaseGroup {

  /** The other loops of the engine need two connections. */
  private static final int BESIDE_CLAIMS = 2;

  private static final int API_MIN = 2;
  private static final int ENGINE_MIN = 4;

  static final Group GROUP = new Group("Database", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<String> DATABASE_URL =
      GROUP.add(
          text("database-url", "connect to this PostgreSQL, like jdbc:postgresql://db/belay")
              .only(ProcessKind.SERVER)
              .required(ProcessKind.SERVER)
              .everyday());

  public static final Setting<String> DATABASE_USER =
      GROUP.add(
          text("database-user", "connect as this PostgreSQL user")
              .only(ProcessKind.SERVER)
              .formerly("user")
              .required(ProcessKind.SERVER)
              .everyday());

  public static final Setting<String> DATABASE_PASSWORD =
      GROUP.add(
          text(
                  "database-password",
                  "connect with this password; it has no flag, because others can see command"
                      + " lines")
              .only(ProcessKind.SERVER)
              .secret());

  public static final Setting<Path> DATABASE_PASSWORD_FILE =
      GROUP.add(
          path("database-password-file", "read the password from this file")
              .only(ProcessKind.SERVER)
              .formerly("password-file")
              .everyday());

  public static final Setting<Boolean> NO_WAIT =
      GROUP.add(
          flag("no-wait", "exit at once if PostgreSQL cannot be reached at the start")
              .only(ProcessKind.SERVER)
              .everyday());

  public static final Setting<Integer> DATABASE_CONNECTIONS =
      GROUP.add(
          count(
                  "database-connections",
                  32,
                  ENGINE_MIN + API_MIN,
                  1_000,
                  "the process pools this many connections to PostgreSQL, and opens five more")
              .inLite("16")
              .formerly("pool-size")
              .everyday());

  public static final Setting<Integer> ENGINE_CONNECTIONS =
      GROUP.add(
          count(
                  "engine-connections",
                  ENGINE_MIN,
                  ENGINE_MIN,
                  1_000,
                  "the engine gets this many of the pooled connections; the API gets the rest")
              .byDefault(
                  "half of database-connections, at least " + ENGINE_MIN,
                  values -> Math.max(ENGINE_MIN, values.of(DATABASE_CONNECTIONS) / 2)));

  public static final Setting<Integer> DISPATCH_THREADS =
      GROUP.add(
          count("dispatch-threads", 16, 1, 256, "this many threads commit claims")
              .byDefault(
                  "16, at most engine-connections - " + BESIDE_CLAIMS,
                  values -> Math.clamp(values.of(ENGINE_CONNECTIONS) - (long) BESIDE_CLAIMS, 1, 16))
              .inLite("1"));

  public static final Setting<Integer> DISPATCH_QUEUE =
      GROUP.add(
          count("dispatch-queue", 256, 1, 10_000, "this many claims may wait for a dispatch thread")
              .inLite("1"));

  public static final Setting<Duration> DATABASE_CONNECT_MAX =
      GROUP.add(
          duration(
              "database-connect-max",
              "3s",
              "250ms",
              "1m",
              "a statement waits at most this long for a pooled connection"));

  public static final Setting<Duration> API_STATEMENT_MAX =
      GROUP.add(
          duration(
              "api-statement-max",
              "8s",
              "100ms",
              "10m",
              "a statement of an API call may take this long"));

  public static final Setting<Duration> ENGINE_STATEMENT_MAX =
      GROUP.add(
          duration(
              "engine-statement-max",
              "30s",
              "1s",
              "10m",
              "a statement of the engine may take this long"));

  public static final Setting<Duration> LOCK_WAIT_MAX =
      GROUP.add(
          duration(
              "lock-wait-max",
              "5s",
              "100ms",
              "1m",
              "a statement may wait this long for a lock; the leader's statements have their own"
                  + " limit"));

  public static final Setting<Duration> IDLE_TRANSACTION_MAX =
      GROUP.add(
          duration(
              "idle-transaction-max",
              "5s",
              "1s",
              "1m",
              "PostgreSQL ends a transaction that is idle for longer, and frees its locks"));

  public static final Setting<Integer> POSTGRES_CONNECTIONS =
      GROUP.add(
          count(
                  "postgres-connections",
                  100,
                  30,
                  10_000,
                  "the embedded PostgreSQL accepts this many connections")
              .only(ProcessKind.LITE));

  public static final Setting<Long> POSTGRES_MEMORY =
      GROUP.add(
          bytes(
                  "postgres-memory",
                  "256MiB",
                  "16MiB",
                  "64GiB",
                  "the embedded PostgreSQL gets this much shared memory, in whole MiB")
              .only(ProcessKind.LITE));

  static {
    GROUP.add(
        new Rule(
            List.of(ENGINE_CONNECTIONS, DATABASE_CONNECTIONS),
            values -> values.of(ENGINE_CONNECTIONS) + API_MIN <= values.of(DATABASE_CONNECTIONS),
            "engine-connections must leave at least %d of database-connections to the API"
                .formatted(API_MIN),
            List.of("engine-connections=40")));
    GROUP.add(
        new Rule(
            List.of(DISPATCH_THREADS, ENGINE_CONNECTIONS),
            values -> values.of(DISPATCH_THREADS) + BESIDE_CLAIMS <= values.of(ENGINE_CONNECTIONS),
            "dispatch-threads must be at least %d fewer than engine-connections, because other loops need connections, too"
                .formatted(BESIDE_CLAIMS),
            List.of("dispatch-threads=40")));
    GROUP.add(
        new Rule(
            List.of(DATABASE_PASSWORD, DATABASE_PASSWORD_FILE),
            values ->
                values.find(DATABASE_PASSWORD).isEmpty()
                    || values.find(DATABASE_PASSWORD_FILE).isEmpty(),
            "set database-password or database-password-file, not both",
            List.of("database-password=x", "database-password-file=x")));
    GROUP.add(
        new Rule(
            List.of(DATABASE_CONNECTIONS, POSTGRES_CONNECTIONS),
            values -> values.of(DATABASE_CONNECTIONS) + 10 <= values.of(POSTGRES_CONNECTIONS),
            "postgres-connections must be at least 10 more than database-connections",
            List.of("database-connections=95")));
    GROUP.add(
        Rule.below(
            1,
            LOCK_WAIT_MAX,
            API_STATEMENT_MAX,
            "a statement that waits for a lock must fail for that reason",
            "lock-wait-max=9s"));
  }

  private DatabaseGroup() {}
}
