package dev.belay.benchmarks.peer;

import dev.belay.domain.id.Ids;
import dev.belay.store.Database;
import dev.belay.store.Migrations;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Writes the same rows as Belay does for a task, into its tables and indexes, with plain pgjdbc: no
 * REST, no decisions, no worker. No system that stores these rows can be much faster.
 */
final class PlainWrites implements Peer {

  private static final int CONNECTIONS = 2;
  private static final int BATCH = 500;
  private static final String WORK = "{\"action\":{\"command\":[\"noop\"]}}";

  private static final String TELL =
      """
        RETURNING task.id, task.run_id, task.state
      )
      INSERT INTO feed (tasks, runs, task_states)
      SELECT array_agg(id), array_agg(run_id), array_agg(state) FROM changed
      """;

  private static final String SUBMIT =
      """
      WITH input AS (SELECT unnest(?::uuid[]) AS id, clock_timestamp() AS now), payloads AS (
        INSERT INTO task_payload (task_id, work, labels) SELECT id, ?::json, '{}' FROM input
      ), changed AS (
        INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, created_at, created_by,
                          queue_id)
        SELECT id, 'default', 'noop', 'SCHEDULED', 50, 'bench', 'submitted', now, now, 'limit', 1 FROM input
      """
          + TELL;

  private static final String CLAIM =
      """
      WITH changed AS (
      UPDATE task
      SET state = 'DISPATCHED', reason = 'claimed', state_since = now, dispatched_at = now, epoch = 1,
          dispatch_id = input.dispatch_id, worker_id = ?::uuid, session_id = ?::uuid, fencing_token = 1
      FROM (SELECT unnest(?::uuid[]) AS id, unnest(?::uuid[]) AS dispatch_id, clock_timestamp() AS now) AS input
      WHERE task.id = input.id AND task.state = 'SCHEDULED'
      """
          + TELL;

  private static final String FINISH =
      """
      WITH changed AS (
      UPDATE task
      SET state = 'SUCCEEDED', reason = 'exit_code: 0', state_since = now, started_at = now, ended_at = now,
          attempt_ended_at = now, end_reason = 'exit_code: 0', exit_code = 0
      FROM (SELECT unnest(?::uuid[]) AS id, unnest(?::uuid[]) AS dispatch_id, clock_timestamp() AS now) AS input
      WHERE task.id = input.id AND task.dispatch_id = input.dispatch_id AND task.state = 'DISPATCHED'
      """
          + TELL;

  private final List<Connection> connections = new ArrayList<>();
  private final RandomGenerator random = new SplittableRandom(System.nanoTime());
  private final UUID worker = id();
  private final UUID session = id();

  PlainWrites(PeerDatabase database) throws SQLException {
    Migrations.migrate(
        Database.forMigrations(database.jdbcUrl(), database.user(), database.password()));
    var properties = new Properties();
    properties.setProperty("user", database.user());
    properties.setProperty("password", database.password());
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(DriverManager.getConnection(database.jdbcUrl(), properties));
    }
  }

  private synchronized UUID id() {
    return Ids.v7(System.currentTimeMillis(), random.nextLong(), random.nextLong());
  }

  @Override
  public void resume() {}

  @Override
  public void pause() {}

  @Override
  public void run(int jobs) throws Exception {
    var left = new AtomicInteger(jobs);
    try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
      var writers =
          connections.stream().<Callable<Integer>>map(each -> () -> write(each, left)).toList();
      for (var done : threads.invokeAll(writers)) {
        done.get();
      }
    }
  }

  /** Commits each step of each batch, as a scheduler must. */
  private int write(Connection connection, AtomicInteger left) throws SQLException {
    int batches = 0;
    try (var submit = connection.prepareStatement(SUBMIT);
        var claim = connection.prepareStatement(CLAIM);
        var finish = connection.prepareStatement(FINISH)) {
      for (int rest = left.getAndAdd(-BATCH); rest > 0; rest = left.getAndAdd(-BATCH)) {
        var tasks = ids(connection, Math.min(rest, BATCH));
        var dispatches = ids(connection, Math.min(rest, BATCH));
        submit.setArray(1, tasks);
        submit.setString(2, WORK);
        submit.execute();
        claim.setObject(1, worker);
        claim.setObject(2, session);
        both(claim, 3, tasks, dispatches);
        both(finish, 1, tasks, dispatches);
        batches++;
      }
    }
    return batches;
  }

  private Array ids(Connection connection, int count) throws SQLException {
    var ids = new UUID[count];
    for (int i = 0; i < count; i++) {
      ids[i] = id();
    }
    return connection.createArrayOf("uuid", ids);
  }

  private static void both(PreparedStatement statement, int first, Array tasks, Array dispatches)
      throws SQLException {
    statement.setArray(first, tasks);
    statement.setArray(first + 1, dispatches);
    statement.execute();
  }

  @Override
  public void submit(Runnable whenStarted) {
    throw new UnsupportedOperationException("there is no scheduler to submit to");
  }

  @Override
  public void close() throws SQLException {
    for (var connection : connections) {
      connection.close();
    }
  }
}
