package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.lab.Usage;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Minutes at a share of the top speed, while autovacuum and retention work: a burst shows neither
 * bloat nor what they cost.
 */
final class Steady {

  /** The server's settings under this load. Retention must be short, so that it has work to do. */
  static final Map<String, String> SERVER_SETTINGS =
      Map.of(
          "task-retention",
          "60s",
          "clean-interval",
          "1s",
          "job-lease-ttl",
          "1s",
          "retention-share",
          "1.0");

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final double BYTES_IN_MIB = 1 << 20;

  private Steady() {}

  /**
   * @param burst the usual measurement, whose first result is the top speed
   */
  static Outcome run(Lab lab, BelaySystem belay, Outcome burst, Wanted wanted) throws Exception {
    var rate = (Number) burst.results().getFirst().figures().getOrDefault("rate", 0);
    double perSecond = rate.doubleValue() * wanted.share();
    lab.note("share_of_top_speed", wanted.share());
    lab.note("server_settings", SERVER_SETTINGS);
    lab.say("%.0f tasks a second for %d minutes".formatted(perSecond, wanted.minutes()));
    lab.postgres().settle();
    var results = new ArrayList<>(burst.results());
    long before = belay.handled();
    try (var load = new SteadyLoad(belay, perSecond)) {
      for (int minute = 1; minute <= wanted.minutes(); minute++) {
        results.add(minute(lab, belay, load, minute));
      }
      load.stop();
      belay.awaitEnd(before + load.accepted());
    }
    return new Outcome(results, burst.complaints());
  }

  private static Result minute(Lab lab, BelaySystem belay, SteadyLoad load, int number)
      throws Exception {
    long start = System.nanoTime();
    long handled = belay.handled();
    var used = Usage.of(belay, lab.postgres());
    var millis = new ArrayList<Double>();
    while (System.nanoTime() - start < MINUTE.toNanos()) {
      Thread.sleep(LOOK);
      millis.addAll(load.ended());
    }
    long ended = belay.handled() - handled;
    double seconds = (System.nanoTime() - start) / 1e9;
    var perTask = Usage.of(belay, lab.postgres()).perTaskSince(used, Math.toIntExact(ended));
    if (millis.isEmpty()) {
      throw new IllegalStateException("no task ended in minute " + number);
    }
    var result =
        Result.of("minute " + number)
            .with("rate", Math.round(ended / seconds))
            .with("p50_ms", Result.rounded(Spread.percentile(millis, 0.5)))
            .with("p99_ms", Result.rounded(Spread.percentile(millis, 0.99)))
            .with("behind_ms", load.behindMillis());
    for (var figure : perTask.entrySet()) {
      result = result.with(figure.getKey(), Math.round(figure.getValue() * 10) / 10.0);
    }
    result = withSizes(result, belay);
    lab.say(result.system() + ": " + result.figures());
    return result;
  }

  private static Result withSizes(Result result, BelaySystem belay) throws Exception {
    var database = belay.database();
    var full = result;
    for (var size :
        List.of(
            Map.entry("table_mib", "pg_table_size('task')"),
            Map.entry("indexes_mib", "pg_indexes_size('task')"),
            Map.entry("database_mib", "pg_database_size(current_database())"))) {
      long bytes = database.number("SELECT " + size.getValue());
      full = full.with(size.getKey(), Result.rounded(bytes / BYTES_IN_MIB));
    }
    return full.with(
        "dead_rows",
        database.number("SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'task'"));
  }
}
