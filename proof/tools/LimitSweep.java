import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for an instant at which a limit was exceeded, over all attempts of a cluster:
 *
 * <pre>
 * LimitSweep.java FOLDER [--since TIME] [tenant:NAME=N | pool:NAME=N | workflow:TENANT/NAME=N]...
 * LimitSweep.java FOLDER --self-check
 * </pre>
 *
 * A place is taken from dispatched_at to the end of the attempt, or until now. An attempt may start
 * only while fewer places than its limit are taken: those of its tenant (max_running), its
 * concurrency key, its workflow (run.max_tasks), and the slots of its pool. Limits are those of
 * now, unless an argument gives another one. A rate limit: between any two starts of a key, no more
 * start than its bucket holds and what flows in meanwhile.
 *
 * <p>Prints each violation, and for each rate how many started in the busiest window and which part
 * of the allowed rate was used. Exit status 0: none was exceeded; 1: some were.
 *
 * <p>{@code --self-check} invents attempts in a temporary table of FOLDER's database, and shows
 * that each violation is found.
 */
final class LimitSweep {

  /** All attempts with what they take, as the view attempt and the task queues show them. */
  private static final String TAKEN =
      """
      CREATE TEMPORARY TABLE taken AS
      SELECT attempt.task_id, attempt.dispatched_at AS from_at, coalesce(attempt.ended_at, 'infinity') AS to_at,
             task.tenant, coalesce(task.dispatched_pool, task.pool) AS pool, run.workflow,
             coalesce(CAST(queue.spec ->> 'slots' AS int), 1) AS slots,
             queue.spec #>> '{concurrency,key}' AS key, CAST(queue.spec #>> '{concurrency,limit}' AS int) AS key_limit,
             queue.spec #>> '{rate_limit,key}' AS rate_key, CAST(queue.spec #>> '{rate_limit,max}' AS int) AS rate_max,
             CAST(queue.spec #>> '{rate_limit,per_ms}' AS float8) / 1000 AS rate_per
      FROM attempt
      JOIN task ON task.id = attempt.task_id
      LEFT JOIN task_queue AS queue ON queue.id = task.queue_id
      LEFT JOIN run ON run.id = task.run_id
      WHERE attempt.dispatched_at >= CAST(? AS timestamptz)
      """;

  private static final String LIMITS =
      """
      CREATE TEMPORARY TABLE bound AS
      SELECT 'tenant' AS kind, name, max_running AS places FROM tenant WHERE max_running IS NOT NULL
      UNION ALL
      SELECT 'pool', name, slots FROM pool WHERE slots IS NOT NULL
      UNION ALL
      SELECT 'workflow', tenant || '/' || name, max_tasks FROM workflow_control WHERE max_tasks IS NOT NULL
      """;

  /**
   * Each start and end in order; an end frees its place before a start of the same instant. A start
   * is too much when more places than its limit are taken right after it.
   */
  private static final String SWEEP =
      """
      WITH held AS (
        SELECT 'tenant' AS kind, tenant AS name, CAST(NULL AS int) AS own, 1 AS places, from_at, to_at FROM taken
        UNION ALL
        SELECT 'pool', pool, NULL, slots, from_at, to_at FROM taken
        UNION ALL
        SELECT 'workflow', tenant || '/' || workflow, NULL, 1, from_at, to_at FROM taken WHERE workflow IS NOT NULL
        UNION ALL
        SELECT 'key', tenant || '/' || key, key_limit, 1, from_at, to_at FROM taken WHERE key IS NOT NULL
      ), moment AS (
        SELECT kind, name, own, from_at AS at, places, 1 AS turn FROM held
        UNION ALL
        SELECT kind, name, NULL, to_at, -places, 0 FROM held WHERE to_at > from_at
      ), counted AS (
        SELECT kind, name, own, at, turn,
               sum(places) OVER (PARTITION BY kind, name ORDER BY at, turn ROWS UNBOUNDED PRECEDING) AS taken
        FROM moment
      )
      SELECT counted.kind, counted.name, counted.at, counted.taken, coalesce(counted.own, bound.places) AS allowed
      FROM counted LEFT JOIN bound USING (kind, name)
      WHERE counted.turn = 1 AND counted.taken > coalesce(counted.own, bound.places)
      ORDER BY counted.at
      """;

  /**
   * With start number n at time t of a key, n - rate * t never rises by more than the bucket above
   * its least value before.
   */
  private static final String RATES =
      """
      WITH numbered AS (
        SELECT tenant || '/' || rate_key AS name, from_at, rate_max, rate_per,
               extract(epoch FROM from_at - min(from_at) OVER key) AS t,
               row_number() OVER (key ORDER BY from_at) AS n,
               count(*) OVER (key ORDER BY from_at RANGE BETWEEN CURRENT ROW AND '1 second' FOLLOWING EXCLUDE CURRENT ROW) + 1 AS in_second
        FROM taken
        WHERE rate_key IS NOT NULL
        WINDOW key AS (PARTITION BY tenant, rate_key)
      ), drawn AS (
        SELECT *, n - rate_max / rate_per * t
                  - min(n - rate_max / rate_per * t) OVER (PARTITION BY name ORDER BY n ROWS UNBOUNDED PRECEDING) + 1 AS used
        FROM numbered
      )
      SELECT name, rate_max, rate_per, count(*), max(in_second), max(used), min(from_at) FILTER (WHERE used > rate_max + 0.001),
             count(*) FILTER (WHERE used > rate_max + 0.001),
             count(*) / greatest(1, rate_max / rate_per * max(t)) AS part
      FROM drawn
      GROUP BY name, rate_max, rate_per
      ORDER BY name
      """;

  private LimitSweep() {}

  public static void main(String[] args) throws Exception {
    boolean check = args.length == 2 && args[1].equals("--self-check");
    try (Connection connection = connect(Path.of(args[0]))) {
      System.exit(check ? selfCheck(connection) : sweep(connection, List.of(args)));
    }
  }

  private static Connection connect(Path folder) throws Exception {
    var database =
        new JsonMapper()
            .readTree(Files.readAllBytes(folder.resolve("cluster.json")))
            .path("database");
    return DriverManager.getConnection(
        database.path("url").asText(),
        database.path("user").asText(),
        Files.readString(Path.of(database.path("password_file").asText())).strip());
  }

  private static int sweep(Connection connection, List<String> args) throws SQLException {
    int since = args.indexOf("--since");
    try (var taken = connection.prepareStatement(TAKEN)) {
      taken.setString(1, since < 0 ? "-infinity" : args.get(since + 1));
      System.out.println("attempts: " + taken.executeUpdate());
    }
    execute(connection, LIMITS);
    for (String arg : args) {
      if (arg.contains(":") && arg.contains("=") && !arg.startsWith("-")) {
        bound(connection, arg);
      }
    }
    return found(connection).isEmpty() ? 0 : 1;
  }

  private static void execute(Connection connection, String statement) throws SQLException {
    try (var run = connection.createStatement()) {
      run.execute(statement);
    }
  }

  /** kind:name=places replaces what is declared. */
  private static void bound(Connection connection, String arg) throws SQLException {
    int colon = arg.indexOf(':');
    int equals = arg.lastIndexOf('=');
    String kind = arg.substring(0, colon);
    String name = arg.substring(colon + 1, equals);
    try (var delete = connection.prepareStatement("DELETE FROM bound WHERE kind = ? AND name = ?");
        var insert = connection.prepareStatement("INSERT INTO bound VALUES (?, ?, ?)")) {
      delete.setString(1, kind);
      delete.setString(2, name);
      delete.executeUpdate();
      insert.setString(1, kind);
      insert.setString(2, name);
      insert.setInt(3, Integer.parseInt(arg.substring(equals + 1)));
      insert.executeUpdate();
    }
  }

  private static List<String> found(Connection connection) throws SQLException {
    List<String> found = new ArrayList<>();
    try (var query = connection.createStatement();
        var rows = query.executeQuery(SWEEP)) {
      while (rows.next()) {
        found.add(
            "%s %s: %d of %d taken at %s"
                .formatted(
                    rows.getString(1),
                    rows.getString(2),
                    rows.getLong(4),
                    rows.getLong(5),
                    rows.getString(3)));
      }
    }
    try (var query = connection.createStatement();
        var rows = query.executeQuery(RATES)) {
      while (rows.next()) {
        System.out.printf(
            "rate %s: %d per %.3f s: %d started, at most %d within a second, %.2f of the bucket of"
                + " %d used, %.1f %% of the rate%n",
            rows.getString(1),
            rows.getInt(2),
            rows.getDouble(3),
            rows.getLong(4),
            rows.getLong(5),
            rows.getDouble(6),
            rows.getInt(2),
            100 * rows.getDouble(9));
        if (rows.getLong(8) > 0) {
          found.add(
              "rate %s: %d starts too early, the first at %s"
                  .formatted(rows.getString(1), rows.getLong(8), rows.getString(7)));
        }
      }
    }
    found.stream().limit(20).forEach(each -> System.out.println("EXCEEDED " + each));
    System.out.println("exceeded: " + found.size());
    return found;
  }

  private record Case(String name, String kind, List<String> attempts) {}

  /** Attempts as tenant, pool, workflow, slots, key, limit, rate key, max, per, from, to. */
  private static int selfCheck(Connection connection) throws SQLException {
    String two =
        "('t','p','w',1,NULL,NULL,NULL,NULL,NULL,0,10),('t','p','w',1,NULL,NULL,NULL,NULL,NULL,%s,20)";
    String keys =
        "('t','p',NULL,1,'k',1,NULL,NULL,NULL,0,10),('t','q',NULL,1,'k',1,NULL,NULL,NULL,%s,20)";
    String rates =
        "('t','p',NULL,1,NULL,NULL,'r',2,2,0,1),('t','p',NULL,1,NULL,NULL,'r',2,2,0,1),"
            + "('t','p',NULL,1,NULL,NULL,'r',2,2,%s,1)";
    var cases =
        List.of(
            new Case("one after the other", "", List.of(two.formatted(10))),
            new Case("two of a tenant", "tenant t", List.of(two.formatted(9))),
            new Case("two in a pool", "pool p", List.of(two.formatted(9))),
            new Case("two of a workflow", "workflow t/w", List.of(two.formatted(9))),
            new Case("a key, one after the other", "", List.of(keys.formatted(10))),
            new Case("a key, two at a time", "key t/k", List.of(keys.formatted(9))),
            new Case("a rate that is kept", "", List.of(rates.formatted(1))),
            new Case("a rate that is not", "rate t/r", List.of(rates.formatted(0.9))));
    int wrong = 0;
    for (Case each : cases) {
      execute(connection, "DROP TABLE IF EXISTS taken, bound");
      execute(
          connection,
          "CREATE TEMPORARY TABLE bound AS SELECT * FROM (VALUES ('tenant', 't', 1), ('pool', 'p',"
              + " 1), ('workflow', 't/w', 1)) AS b (kind, name, places)"
              + (each.name().startsWith("a ") ? " WHERE false" : ""));
      execute(
          connection,
          "CREATE TEMPORARY TABLE taken AS SELECT tenant, pool, workflow, slots, CAST(key AS text)"
              + " AS key, CAST(key_limit AS int) AS key_limit, CAST(rate_key AS text) AS rate_key,"
              + " CAST(rate_max AS int) AS rate_max, CAST(rate_per AS float8) AS rate_per,"
              + " to_timestamp(f) AS from_at, to_timestamp(g) AS to_at FROM (VALUES "
              + String.join(",", each.attempts())
              + ") AS i (tenant, pool, workflow, slots, key, key_limit, rate_key, rate_max,"
              + " rate_per, f, g)");
      List<String> found = found(connection);
      boolean right =
          each.kind().isEmpty()
              ? found.isEmpty()
              : found.stream().anyMatch(line -> line.startsWith(each.kind()));
      System.out.println((right ? "ok: " : "WRONG: ") + each.name());
      wrong += right ? 0 : 1;
    }
    return wrong == 0 ? 0 : 1;
  }
}
