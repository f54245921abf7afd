package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Address;
import dev.belay.benchmarks.lab.EngineTick;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** How long a tick takes beside many timers that are not due, compared with none. */
final class TimerTick {

  private static final int RUNS = 1_000;
  private static final int TICKS = 1_000;
  private static final int WARM_UP_TICKS = 300;
  private static final List<Integer> TIMERS = List.of(0, 1_000_000);

  /** Half of them would start and half would end, from tomorrow on. */
  private static final String FILL =
      """
      INSERT INTO task (id, tenant, name, state, priority, pool, reason, state_since, created_at,
                        not_before, queue_id)
      SELECT gen_random_uuid(), 'default', 'later',
             CAST(CASE WHEN number % 2 = 0 THEN 'PENDING' ELSE 'DEFERRED' END AS task_state), 50,
             'nobody', 'delayed', now() - interval '1 hour', now() - interval '1 hour',
             now() + interval '1 day' + number * interval '1 millisecond',
             (SELECT queue_of_pool('default', NULL, 'nobody'))
      FROM generate_series(1, ?) AS number
      """;

  private TimerTick() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    lab.note("active_runs", RUNS);
    lab.note("ticks", TICKS * wanted.repeats());
    var databases = new ArrayList<Address>();
    var times = new ArrayList<List<Double>>();
    for (int timers : TIMERS) {
      lab.say("filling %d timers".formatted(timers));
      var database = lab.postgres().create("timers_" + timers);
      EngineTick.on(database).close();
      TickTime.fill(database, RUNS);
      fill(database, timers);
      database.execute("VACUUM (ANALYZE)");
      databases.add(database);
      times.add(new ArrayList<>());
    }
    for (int repeat = 0; repeat <= wanted.repeats(); repeat++) {
      for (int i = 0; i < TIMERS.size(); i++) {
        lab.postgres().settle();
        int ticks = repeat == 0 ? WARM_UP_TICKS : TICKS;
        var millis = measure(databases.get(i), ticks);
        lab.say(
            "%d timers, %s: p50 %.2f ms, p99 %.2f ms"
                .formatted(
                    TIMERS.get(i),
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
    double without = Spread.percentile(times.getFirst(), 0.5);
    for (int i = 0; i < TIMERS.size(); i++) {
      double p50 = Spread.percentile(times.get(i), 0.5);
      results.add(
          Result.of("belay")
              .with("timers", TIMERS.get(i))
              .with("p50_ms", Result.rounded(p50))
              .with("p99_ms", Result.rounded(Spread.percentile(times.get(i), 0.99)))
              .with("ratio", Result.rounded(p50 / without)));
    }
    return new Outcome(results, List.of());
  }

  /** No run changes, so the reads of a tick are all that it does. */
  private static List<Double> measure(Address database, int ticks) {
    var millis = new ArrayList<Double>();
    try (var engine = EngineTick.on(database)) {
      for (int i = 0; i < ticks; i++) {
        long start = System.nanoTime();
        engine.runOnce();
        millis.add((System.nanoTime() - start) / 1e6);
      }
    }
    return millis;
  }

  private static void fill(Address database, int timers) throws SQLException {
    try (var connection = database.connect();
        var fill = connection.prepareStatement(FILL)) {
      fill.setInt(1, timers);
      fill.execute();
    }
  }
}
