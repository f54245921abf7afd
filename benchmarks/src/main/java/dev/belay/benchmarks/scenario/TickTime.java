package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Address;
import dev.belay.benchmarks.lab.EngineTick;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.lab.StoredWorkflow;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a tick takes as active runs grow while the same few change. Runs in this process: a tick
 * is only the engine and its statements.
 */
final class TickTime {

  private static final List<Integer> ACTIVE = List.of(1_000, 5_000, 20_000);
  private static final int CHANGED = 50;
  private static final int TICKS = 200;
  private static final int WARM_UP_TICKS = 100;

  private static final String WORKFLOW =
      """
      name: pair
      tasks:
        - {name: first, command: [noop], pool: nobody}
        - {name: second, command: [noop], pool: nobody, depends_on: [first]}
      """;

  /**
   * Active runs: the first task waits for a worker that does not exist, the second for the first.
   */
  private static final String FILL =
      """
      WITH runs AS (
        INSERT INTO run (id, tenant, workflow_id, workflow, state, params, logical_date, created_at,
                         created_by, started_at)
        SELECT gen_random_uuid(), 'default', '00000000-0000-7000-8000-000000000001', 'pair',
               'RUNNING', '{}', now(), now(), 'bench', now()
        FROM generate_series(1, ?)
        RETURNING id
      ), tasks AS (
        INSERT INTO task (id, tenant, run_id, name, state, priority, pool, reason, state_since,
                          created_at, queue_id)
        SELECT gen_random_uuid(), 'default', runs.id, t.name, t.state::task_state, 50, 'nobody',
               'created', now(), now(), (SELECT queue_of_pool('default', 'pair', 'nobody'))
        FROM runs, (VALUES ('first', 'SCHEDULED'), ('second', 'WAITING')) AS t (name, state)
        RETURNING id, name
      )
      INSERT INTO task_payload (task_id, work, labels)
      SELECT id, '{"command": ["noop"]}', '{}' FROM tasks WHERE name = 'first'
      """;

  /** The first task of some runs succeeds, and each of these runs gets its mark. */
  private static final String CHANGE =
      """
      WITH chosen AS (
        SELECT id FROM run WHERE id > gen_random_uuid() ORDER BY id LIMIT ?
      ), done AS (
        UPDATE task SET state = 'SUCCEEDED', ended_at = now()
        FROM chosen
        WHERE task.run_id = chosen.id AND task.name = 'first' AND task.state = 'SCHEDULED'
        RETURNING task.run_id
      )
      INSERT INTO mark (run_id) SELECT run_id FROM done
      """;

  private static final String PLANNED =
      "SELECT count(*) FROM task WHERE name = 'second' AND state = 'SCHEDULED'";

  /** Resets the runs, so each tick sees the same. */
  private static final String UNDO =
      """
      WITH planned AS (
        UPDATE task SET state = 'WAITING'
        WHERE name = 'second' AND state = 'SCHEDULED' AND pool = 'nobody'
        RETURNING run_id
      )
      UPDATE task SET state = 'SCHEDULED', ended_at = NULL
      FROM planned
      WHERE task.run_id = planned.run_id AND task.name = 'first' AND task.state = 'SUCCEEDED'
      """;

  private TickTime() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    lab.note("changed_runs_per_tick", CHANGED);
    lab.note("ticks", TICKS * wanted.repeats());
    var times = new ArrayList<List<Double>>();
    var databases = new ArrayList<Address>();
    for (int active : ACTIVE) {
      lab.say("filling %d active runs".formatted(active));
      var database = lab.postgres().create("tick_" + active);
      EngineTick.on(database).close();
      fill(database, active);
      databases.add(database);
      times.add(new ArrayList<>());
    }
    for (int repeat = 0; repeat <= wanted.repeats(); repeat++) {
      for (int i = 0; i < ACTIVE.size(); i++) {
        lab.postgres().settle();
        var millis = measure(databases.get(i), repeat == 0 ? WARM_UP_TICKS : TICKS);
        lab.say(
            "%d active runs, %s: p50 %.2f ms, p99 %.2f ms"
                .formatted(
                    ACTIVE.get(i),
                    repeat == 0 ? "warm-up" : "repeat " + repeat,
                    Spread.percentile(millis, 0.5),
                    Spread.percentile(millis, 0.99)));
        if (repeat > 0) {
          times.get(i).addAll(millis);
        }
      }
    }
    return outcome(times);
  }

  private static Outcome outcome(List<List<Double>> times) {
    var results = new ArrayList<Result>();
    double first = Spread.percentile(times.getFirst(), 0.99);
    for (int i = 0; i < ACTIVE.size(); i++) {
      double p99 = Spread.percentile(times.get(i), 0.99);
      results.add(
          Result.of("belay")
              .with("active_runs", ACTIVE.get(i))
              .with("p50_ms", Result.rounded(Spread.percentile(times.get(i), 0.5)))
              .with("p99_ms", Result.rounded(p99))
              .with("ratio", Result.rounded(p99 / first)));
    }
    return new Outcome(results, List.of());
  }

  static void fill(Address database, int runs) throws SQLException {
    StoredWorkflow.insert(database, WORKFLOW);
    try (var connection = database.connect();
        var fill = connection.prepareStatement(FILL)) {
      fill.setInt(1, runs);
      fill.execute();
    }
  }

  private static List<Double> measure(Address database, int ticks) throws SQLException {
    var millis = new ArrayList<Double>();
    try (var engine = EngineTick.on(database);
        var connection = database.connect()) {
      for (int i = 0; i < ticks; i++) {
        int changed = change(connection);
        long start = System.nanoTime();
        engine.runOnce();
        millis.add((System.nanoTime() - start) / 1e6);
        undo(connection, changed);
      }
    }
    return millis;
  }

  /** A random position may be close to the end of the runs: then it tries another. */
  private static int change(Connection connection) throws SQLException {
    try (var change = connection.prepareStatement(CHANGE)) {
      change.setInt(1, CHANGED);
      int changed = change.executeUpdate();
      while (changed < CHANGED) {
        change.setInt(1, CHANGED - changed);
        changed += change.executeUpdate();
      }
      return changed;
    }
  }

  private static void undo(Connection connection, int changed) throws SQLException {
    try (var statement = connection.createStatement()) {
      try (var rows = statement.executeQuery(PLANNED)) {
        rows.next();
        if (rows.getInt(1) != changed) {
          throw new IllegalStateException(
              "the tick planned " + rows.getInt(1) + " of " + changed + " changed runs");
        }
      }
      statement.execute(UNDO);
    }
  }
}
