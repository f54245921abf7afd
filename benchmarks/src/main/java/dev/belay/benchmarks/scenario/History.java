package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.Contender;
import dev.belay.benchmarks.lab.FinishedTasks;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Throughput, latency and reads on a database full of finished tasks, compared with one that began
 * empty.
 */
final class History {

  private static final int RUNS = 20;

  private History() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    var database = lab.database("belay-full");
    lab.say("filling the database with %d finished tasks".formatted(wanted.finished()));
    long start = System.nanoTime();
    FinishedTasks.fill(database, wanted.finished());
    double seconds = (System.nanoTime() - start) / 1e9;
    lab.say("filled in %.0f s".formatted(seconds));
    lab.note("finished_tasks", wanted.finished());
    lab.note("fill_seconds", Math.round(seconds));
    lab.note(
        "filled_mib", database.number("SELECT pg_database_size(current_database())") / (1 << 20));
    var full = lab.belay("belay-full", database, true, Map.of());
    var empty = lab.belay("belay", true);

    int tasks = wanted.tasksOr(Throughput.TASKS);
    List<Contender> both = List.of(empty, full);
    var compared = Throughput.compare(lab, both, tasks, wanted.repeats());
    var results = withRatio(compared);
    results.add(latency(lab, full, empty, wanted.repeats()));
    for (var system : List.of(full, empty)) {
      runSome(system);
    }
    lab.postgres().settle();
    results.addAll(new ReadTimes(lab, full, empty).measure(wanted.repeats()));
    return new Outcome(results, compared.complaints());
  }

  /** Compares full with empty, to show how much throughput remains with history. */
  private static List<Result> withRatio(Outcome compared) {
    var results = new ArrayList<>(compared.results());
    double empty = ((Number) results.getFirst().figures().getOrDefault("rate", 0)).doubleValue();
    var full = results.removeLast();
    double rate = ((Number) full.figures().getOrDefault("rate", 0)).doubleValue();
    results.add(full.with("ratio", Result.rounded(rate / empty)));
    return results;
  }

  private static Result latency(Lab lab, BelaySystem full, BelaySystem empty, int repeats)
      throws Exception {
    var ofFull = new ArrayList<Double>();
    var ofEmpty = new ArrayList<Double>();
    for (int repeat = 0; repeat <= repeats; repeat++) {
      lab.postgres().settle();
      ofEmpty.addAll(Latency.measure(empty));
      ofFull.addAll(Latency.measure(full));
      if (repeat == 0) { // a warm-up: single submits are new to both
        ofFull.clear();
        ofEmpty.clear();
      }
    }
    return compared("submit to started", ofFull, ofEmpty);
  }

  /** Percentiles on the full and on the empty database; the ratio is that of the p99. */
  static Result compared(String what, List<Double> full, List<Double> empty) {
    double p99 = Spread.percentile(full, 0.99);
    double p99Empty = Spread.percentile(empty, 0.99);
    return Result.of(what)
        .with("p50_ms", Result.rounded(Spread.percentile(full, 0.5)))
        .with("p99_ms", Result.rounded(p99))
        .with("empty_p50_ms", Result.rounded(Spread.percentile(empty, 0.5)))
        .with("empty_p99_ms", Result.rounded(p99Empty))
        .with("ratio", Result.rounded(p99 / p99Empty))
        .with("samples", full.size());
  }

  /** Both databases have runs to show. */
  private static void runSome(BelaySystem belay) throws Exception {
    byte[] file = FinishedTasks.workflow().getBytes(StandardCharsets.UTF_8);
    belay.rest().post("/workflows", "application/yaml", file);
    for (int i = 0; i < RUNS; i++) {
      Chain.runToEnd(belay, FinishedTasks.WORKFLOW);
    }
  }
}
