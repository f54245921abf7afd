package dev.belay.fuzz.tested;

import dev.belay.fuzz.tested.TestedServer.DatabaseAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A fingerprint of each table, independent of row order, without data that changes by itself: signs
 * of life, and what the engine derives from them.
 */
public final class StateDigest implements AutoCloseable {

  /** Signs of life, work for the leader, and the writes of the reaper and of periodic jobs. */
  private static final Set<String> MOVING =
      Set.of(
          "replica",
          "leadership",
          "job_lease",
          "mark",
          "recovery",
          "alert",
          "unserved_queue",
          "flyway_schema_history");

  /** Columns that change when a worker comes and goes. */
  private static final Map<String, List<String>> MOVING_COLUMNS =
      Map.of(
          "worker",
          List.of(
              "last_seen_at",
              "heartbeat_number",
              "free_slots",
              "cpu_percent",
              "gpu_percent",
              "preparing",
              "state",
              "disconnected_at",
              "closed_by_peer",
              "connection",
              "replica",
              "connected_at",
              "session_id",
              "started_at"));

  private static final String TABLES =
      """
      SELECT table_name FROM information_schema.tables t
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
        AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = t.table_name::regclass)
      ORDER BY table_name
      """;

  private static final Duration PAUSE = Duration.ofMillis(120);
  private static final Duration QUIET_MAX = Duration.ofSeconds(30);

  private final Connection connection;
  private final List<String> tables = new ArrayList<>();
  private final LongSupplier nanos;

  public StateDigest(DatabaseAddress database, LongSupplier nanos) throws SQLException {
    this.connection =
        DriverManager.getConnection(database.url(), database.user(), database.password());
    this.nanos = nanos;
    try (var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(TABLES)) {
      while (rows.next()) {
        String name = rows.getString(1);
        if (!MOVING.contains(name)) {
          tables.add(name);
        }
      }
    }
  }

  public List<String> tables() {
    return List.copyOf(tables);
  }

  /** The row count and the sum of row hashes of each table. */
  public Map<String, String> read() throws SQLException {
    var digest = new TreeMap<String, String>();
    try (var statement = connection.createStatement()) {
      for (String table : tables) {
        try (ResultSet row = statement.executeQuery(query(table))) {
          row.next();
          digest.put(table, row.getString(1) + " rows, hash " + row.getString(2));
        }
      }
    }
    return digest;
  }

  /** Table and column names come from the schema, not from users. */
  private static String query(String table) {
    var columns = MOVING_COLUMNS.get(table);
    String row =
        columns == null
            ? "t::text"
            : "(to_jsonb(t) - ARRAY['" + String.join("','", columns) + "'])::text";
    return "SELECT count(*), coalesce(sum(hashtextextended("
        + row
        + ", 0)::numeric), 0) FROM "
        + table
        + " t";
  }

  /** The digest after the engine handled the last requests. */
  public Map<String, String> settled() throws SQLException, InterruptedException {
    long end = nanos.getAsLong() + QUIET_MAX.toNanos();
    Map<String, String> last = read();
    int same = 0;
    while (same < 2 && nanos.getAsLong() < end) {
      Thread.sleep(PAUSE);
      Map<String, String> now = read();
      same = now.equals(last) ? same + 1 : 0;
      last = now;
    }
    return last;
  }

  /** The tables in which two digests differ. */
  public static List<String> difference(Map<String, String> before, Map<String, String> after) {
    return before.keySet().stream()
        .filter(table -> !String.valueOf(before.get(table)).equals(after.get(table)))
        .map(table -> table + " (" + before.get(table) + "; then " + after.get(table) + ")")
        .toList();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
