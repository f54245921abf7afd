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

/** Where PostgreSQL is, and what of it a process takes. */
public final class DatabaseGroup {

  /** The engine's loops need two beside the threads that claim. */
  private static final int BESIDE_CLAIMS = 2;

  private static final int API_MIN = 2;
  private static final int ENGINE_MIN = 4;

  static final Group GROUP = new Group("Database", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<String> DATABASE_URL =
      GROUP.add(
          text("database-url", "where PostgreSQL is, like jdbc:postgresql://db/belay")
              .only(ProcessKind.SERVER)
              .required(ProcessKind.SERVER)
              .everyday());

  public static final Setting<String> DATABASE_USER =
      GROUP.add(
          text("database-user", "PostgreSQL's user")
              .only(ProcessKind.SERVER)
              .formerly("user")
              .required(ProcessKind.SERVER)
              .everyday());

  public static final Setting<String> DATABASE_PASSWORD =
      GROUP.add(
          text(
                  "database-password",
                  "its password; has no flag, because others can see command lines")
              .only(ProcessKind.SERVER)
              .secret());

  public static final Setting<Path> DATABASE_PASSWORD_FILE =
      GROUP.add(
          path("database-password-file", "holds its password")
              .only(ProcessKind.SERVER)
              .formerly("password-file")
              .everyday());

  public static final Setting<Boolean> NO_WAIT =
      GROUP.add(
          flag("no-wait", "end at once when PostgreSQL cannot be reached at the start")
              .only(ProcessKind.SERVER)
              .everyday());

  public static final Setting<Integer> DATABASE_CONNECTIONS =
      GROUP.add(
          count(
                  "database-connections",
                  32,
                  ENGINE_MIN + API_MIN,
                  1_000,
                  "connections of this process to PostgreSQL, beside three that are its own")
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
                  "how many of them are the engine's; the rest serves the API")
              .byDefault(
                  "half of database-connections, at least " + ENGINE_MIN,
                  values -> Math.max(ENGINE_MIN, values.of(DATABASE_CONNECTIONS) / 2)));

  public static final Setting<Integer> DISPATCH_THREADS =
      GROUP.add(
          count("dispatch-threads", 16, 1, 256, "threads that commit tasks to workers")
              .byDefault(
                  "16, at most engine-connections - " + BESIDE_CLAIMS,
                  values -> Math.clamp(values.of(ENGINE_CONNECTIONS) - (long) BESIDE_CLAIMS, 1, 16))
              .inLite("1"));

  public static final Setting<Integer> DISPATCH_QUEUE =
      GROUP.add(
          count("dispatch-queue", 256, 1, 10_000, "claims that wait for a thread").inLite("1"));

  public static final Setting<Duration> DATABASE_CONNECT_MAX =
      GROUP.add(
          duration(
              "database-connect-max",
              "3s",
              "250ms",
              "1m",
              "how long to wait for a connection from the pool"));

  public static final Setting<Duration> API_STATEMENT_MAX =
      GROUP.add(
          duration(
              "api-statement-max", "8s", "100ms", "10m", "the longest statement of an API call"));

  public static final Setting<Duration> ENGINE_STATEMENT_MAX =
      GROUP.add(
          duration(
              "engine-statement-max", "30s", "1s", "10m", "the longest statement of the engine"));

  public static final Setting<Duration> LOCK_WAIT_MAX =
      GROUP.add(
          duration(
              "lock-wait-max",
              "5s",
              "100ms",
              "1m",
              "how long a statement waits for a lock; those of the leader have their own limit"));

  public static final Setting<Duration> IDLE_TRANSACTION_MAX =
      GROUP.add(
          duration(
              "idle-transaction-max",
              "5s",
              "1s",
              "1m",
              "PostgreSQL ends a transaction that is idle for longer, with its locks"));

  public static final Setting<Integer> POSTGRES_CONNECTIONS =
      GROUP.add(
          count(
                  "postgres-connections",
                  100,
                  30,
                  10_000,
                  "connections that the embedded PostgreSQL takes")
              .only(ProcessKind.LITE));

  public static final Setting<Long> POSTGRES_MEMORY =
      GROUP.add(
          bytes(
                  "postgres-memory",
                  "256MiB",
                  "16MiB",
                  "64GiB",
                  "memory that the embedded PostgreSQL shares among its processes, in whole MiB")
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
            "dispatch-threads must be at least %d fewer than engine-connections, which they share with the other loops"
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
            "a statement that waits for a lock must fail with that reason",
            "lock-wait-max=9s"));
  }

  private DatabaseGroup() {}
}
