package dev.belay.benchmarks.peer;

import java.time.Duration;
import javax.sql.DataSource;

/** A job scheduler that does the same work as Belay. */
interface Peer extends AutoCloseable {

  Duration LOOK = Duration.ofMillis(10);

  /** Begins to look for work. */
  void resume() throws Exception;

  /** Looks for no more work, so that it costs nothing while others are measured. */
  void pause() throws Exception;

  /** Hands in no-op jobs and returns when all have run and the database shows it. */
  void run(int jobs) throws Exception;

  /** Hands in one job. */
  void submit(Runnable whenStarted) throws Exception;

  /** Waits until the query answers 0. */
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
