package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Address;
import dev.belay.benchmarks.lab.Contender;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import java.util.ArrayList;
import java.util.List;

/** Throughput on a database full of finished tasks, compared with an empty one. */
final class History {

  private static final int CHUNK = 200_000;

  /**
   * One task every five milliseconds, the newest now, with all rows of a finished task. The server
   * has started, so they share the partitions with new tasks: the harder case.
   */
  private static final String FILL =
      """
      WITH life AS MATERIALIZED (
        SELECT at,
               (stamp || '7' || substr(a, 1, 3) || '8' || substr(a, 4, 15))::uuid AS id,
               (stamp || '7' || substr(b, 1, 3) || '8' || substr(b, 4, 15))::uuid AS dispatch_id
        FROM (
          SELECT at, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS stamp,
                 md5('task' || n) AS a, md5('dispatch' || n) AS b
          FROM (
            SELECT n, now() - n * interval '5 ms' AS at FROM generate_series(?, ?, -1) AS n
          ) AS numbered
        ) AS stamped
      ), tasks AS (
        INSERT INTO task (id, tenant, name, state, priority, fencing_token, pool, reason, state_since,
                          dispatch_id, worker_id, session_id, created_at, dispatched_at, started_at,
                          ended_at)
        SELECT id, 'default', 'noop', 'SUCCEEDED', 50, 1, 'bench', 'exit_0', at, dispatch_id,
               '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002',
               at, at, at, at
        FROM life
      ), payloads AS (
        INSERT INTO task_payload (task_id, work, labels)
        SELECT id, '{"command": ["noop"]}', '{}' FROM life
      ), attempts AS (
        INSERT INTO attempt (dispatch_id, task_id, number, generation, worker_id, session_id, epoch,
                             dispatched_at, started_at, ended_at, end_reason, exit_code)
        SELECT dispatch_id, id, 1, 1, '00000000-0000-7000-8000-000000000001',
               '00000000-0000-7000-8000-000000000002', 1, at, at, at, 'exit_0', 0
        FROM life
      )
      INSERT INTO history (task_id, from_state, to_state, reason, actor, dispatch_id, at)
      SELECT id, step.was::task_state, step.became::task_state, 'filled', 'bench', dispatch_id, at
      FROM life, (VALUES (NULL, 'SCHEDULED'), ('SCHEDULED', 'DISPATCHED'),
                         ('DISPATCHED', 'RUNNING'), ('RUNNING', 'SUCCEEDED')) AS step (was, became)
      """;

  private History() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    int tasks = wanted.tasksOr(Throughput.TASKS);
    var full = lab.belay("belay-full", true);
    var empty = lab.belay("belay", true);
    lab.note("finished_tasks", wanted.finished());
    fill(lab, full.database(), wanted.finished());
    List<Contender> both = List.of(empty, full);
    var outcome = Throughput.compare(lab, both, tasks, wanted.repeats());
    return withRatio(outcome);
  }

  private static void fill(Lab lab, Address database, int finished) throws Exception {
    try (var connection = database.connect();
        var fill = connection.prepareStatement(FILL)) {
      for (int left = finished; left > 0; left -= CHUNK) {
        lab.say("filling, %d tasks to go".formatted(left));
        fill.setInt(1, left);
        fill.setInt(2, Math.max(1, left - CHUNK + 1));
        fill.execute();
      }
    }
    database.execute("VACUUM (ANALYZE)");
  }

  /** Compares full with empty, to show how much throughput remains with history. */
  private static Outcome withRatio(Outcome compared) {
    var results = new ArrayList<>(compared.results());
    double empty = ((Number) results.getFirst().figures().getOrDefault("rate", 0)).doubleValue();
    var full = results.removeLast();
    double rate = ((Number) full.figures().getOrDefault("rate", 0)).doubleValue();
    results.add(full.with("ratio", Result.rounded(rate / empty)));
    return new Outcome(results, compared.complaints());
  }
}
