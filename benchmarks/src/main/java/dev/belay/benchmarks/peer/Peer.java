package dev.belay.benchmarks.peer;

import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** A job scheduler that does the same work as Belay. */
interface Peer extends AutoCloseable {

  Duration LOOK = Duration.ofMillis(10);

  /** Starts to look for work. */
  void resume() throws Exception;

  /** Stops looking for work, so it costs nothing while others are measured. */
  void pause() throws Exception;

  /** Submits no-op jobs and returns when the database shows that all have run. */
  void run(int jobs) throws Exception;

  /** Submits one job. */
  void submit(Runnable whenStarted) throws Exception;

  @Override
  void close() throws SQLException;

  /** Waits until the query returns 0. */
  static void awaitNone(DataSource source, String count) throws Exception {
    try (var connection = source.getConnection();
        var statement = connection.prepareStatement(count)) {
      while (true) {
        try (var rows = statement.executeQuery()) {
          rows.next();
          if (rows.getLong(1) == 0) {
            return;
          }
        }
        Thread.sleep(LOOK);
      }
    }
  }
}
