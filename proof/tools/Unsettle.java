import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Unsettle.java FOLDER elections FILE EVERY_MS: takes the leader's lock away every EVERY_MS while
 * FILE exists, so that a new epoch begins; prints how often. Unsettle.java FOLDER hello
 * WORKER_NAME: waits until that worker says hello to a replica, and freezes the replica (SIGSTOP)
 * while it writes the hello: the database completes the write, and the replica does nothing more.
 * Prints the replica's pid and the time of the hello.
 */
final class Unsettle {
  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private final JsonNode cluster;

  private Unsettle(JsonNode cluster) {
    this.cluster = cluster;
  }

  public static void main(String[] args) throws Exception {
    var file = Path.of(args[0]).resolve("cluster.json");
    var unsettle = new Unsettle(new JsonMapper().readTree(Files.readAllBytes(file)));
    if (args[1].equals("elections")) {
      unsettle.elections(Path.of(args[2]), Long.parseLong(args[3]));
    } else {
      unsettle.hello(args[2]);
    }
  }

  private Connection connect() throws SQLException, IOException {
    var database = cluster.path("database");
    return DriverManager.getConnection(
        database.path("url").asText(),
        database.path("user").asText(),
        Files.readString(Path.of(database.path("password_file").asText())).strip());
  }

  private void elections(Path file, long everyMs) throws Exception {
    int done = 0;
    try (var connection = connect();
        var statement = connection.createStatement()) {
      while (Files.exists(file)) {
        Thread.sleep(everyMs);
        // Only the leader's lock is a session lock in exclusive mode.
        var ended =
            statement.executeQuery(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'"
                    + " AND granted AND mode = 'ExclusiveLock'");
        ended.next();
        done += ended.getInt(1);
      }
    }
    System.out.println(done);
  }

  private void hello(String worker) throws Exception {
    long deadline = System.nanoTime() + WAIT_MAX.toNanos();
    try (var holding = connect();
        var looking = connect()) {
      holding.setAutoCommit(false);
      var hold = holding.prepareStatement("SELECT id FROM worker WHERE name = ? FOR UPDATE");
      hold.setString(1, worker);
      hold.executeQuery();
      System.out.println("ready");
      var look =
          looking.prepareStatement(
              "SELECT application_name FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                  + " AND query LIKE '%INSERT INTO worker %' LIMIT 1");
      while (System.nanoTime() < deadline) {
        var row = look.executeQuery();
        if (row.next()) {
          long pid = pid(row.getString(1));
          new ProcessBuilder("kill", "-STOP", Long.toString(pid)).inheritIO().start().waitFor();
          holding.commit();
          var said =
              looking.prepareStatement(
                  "SELECT connected_at FROM worker WHERE name = ? AND connected_at > now() -"
                      + " interval '10 s'");
          said.setString(1, worker);
          var at = said.executeQuery();
          while (!at.next()) {
            Thread.sleep(5);
            at = said.executeQuery();
          }
          System.out.println(pid + " " + at.getString(1));
          return;
        }
        Thread.sleep(10);
      }
    }
    throw new IllegalStateException(worker + " does not say hello");
  }

  private long pid(String application) {
    for (var replica : cluster.path("replicas")) {
      if (application.equals("belay " + replica.path("name").asText())) {
        return replica.path("pid").asLong();
      }
    }
    throw new IllegalStateException("no replica " + application);
  }
}
