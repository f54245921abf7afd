package dev.belay.benchmarks.lab;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.store.Database;
import dev.belay.store.queue.PostgresQueues;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Task queues with tasks that wait, and workers, written as rows: nothing runs them. */
public final class StoredQueues {

  private static final int CONNECTIONS = 2;

  /** They were last seen tomorrow, so no leader takes them for silent. Each second one is fast. */
  private static final String WORKERS =
      """
      INSERT INTO worker (id, name, pools, slots, labels, capabilities, version, platform,
                          session_id, connection, replica, state, started_at, connected_at,
                          last_seen_at)
      SELECT gen_random_uuid(), 'worker-' || number, ARRAY['pool-' || number % ?], ?, '{}',
             CASE WHEN number / ? % 2 = 0 THEN CAST('{fast}' AS text[]) ELSE '{}' END, 'bench',
             'linux', gen_random_uuid(), 1, 'bench', 'CONNECTED', now(), now(),
             now() + interval '1 day'
      FROM generate_series(0, ? - 1) AS number
      """;

  private static final String TASKS =
      """
      WITH tasks AS (
        INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, created_at,
                          queue_id)
        SELECT gen_random_uuid(), queues.spec ->> 'tenant', 'waits', 'SCHEDULED', ?,
               queues.spec ->> 'pool', 'created', now(), now(), queues.id
        FROM generate_series(0, ? - 1) AS number
        JOIN (SELECT id, spec, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS size
              FROM task_queue
              WHERE id = ANY (?)) AS queues ON queues.place = number % queues.size
        RETURNING id
      )
      INSERT INTO task_payload (task_id, work, labels)
      SELECT id, '{"command": ["noop"]}', '{}' FROM tasks
      """;

  /** One task of each of these task queues runs, and holds its place. */
  private static final String HOLDERS =
      """
      INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, created_at,
                        queue_id, dispatch_id, worker_id, session_id, epoch, fencing_token,
                        dispatched_at, started_at)
      SELECT gen_random_uuid(), queues.spec ->> 'tenant', 'holds', 'RUNNING', 50,
             queues.spec ->> 'pool', 'started', now(), now(), queues.id, gen_random_uuid(),
             held.id, held.session_id, 1, 1, now(), now()
      FROM (SELECT id, spec, row_number() OVER (ORDER BY id) - 1 AS place
            FROM task_queue
            WHERE id = ANY (?)) AS queues
      JOIN (SELECT id, session_id, row_number() OVER (ORDER BY id) - 1 AS place,
                   count(*) OVER () AS size
            FROM worker) AS held ON held.place = queues.place % held.size
      """;

  private StoredQueues() {}

  /** In pools named {@code pool-0} and so on; in each pool, half of them can do {@code fast}. */
  public static void workers(Address database, int count, int pools, int slots)
      throws SQLException {
    try (var connection = database.connect();
        var fill = connection.prepareStatement(WORKERS)) {
      fill.setInt(1, pools);
      fill.setInt(2, slots);
      fill.setInt(3, pools);
      fill.setInt(4, count);
      fill.execute();
    }
  }

  public static List<QueueId> intern(Address database, List<TaskQueue> queues) {
    try (var source =
        Database.pool(
            database.jdbcUrl(),
            database.user(),
            database.password(),
            CONNECTIONS,
            "belay bench",
            Database.Bounds.DEFAULT)) {
      return new ArrayList<>(new PostgresQueues(Database.jdbi(source)).intern(queues).values());
    }
  }

  /** The tasks are spread evenly over the task queues. */
  public static void tasks(Address database, int count, int priority, List<QueueId> queues)
      throws SQLException {
    try (var connection = database.connect();
        var fill = connection.prepareStatement(TASKS)) {
      fill.setInt(1, priority);
      fill.setInt(2, count);
      fill.setArray(3, connection.createArrayOf("int", ids(queues)));
      fill.execute();
    }
  }

  public static void holders(Address database, List<QueueId> queues) throws SQLException {
    try (var connection = database.connect();
        var fill = connection.prepareStatement(HOLDERS)) {
      fill.setArray(1, connection.createArrayOf("int", ids(queues)));
      fill.execute();
    }
  }

  /** Nothing waits or runs any more. */
  public static void clear(Address database) throws SQLException {
    database.execute("TRUNCATE task, task_payload, step, past_attempt, feed");
  }

  private static Integer[] ids(List<QueueId> queues) {
    return queues.stream().map(QueueId::value).toArray(Integer[]::new);
  }
}
