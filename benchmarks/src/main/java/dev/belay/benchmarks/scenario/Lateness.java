package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.lab.StoredSchedules;
import dev.belay.benchmarks.lab.Usage;
import dev.belay.benchmarks.peer.PeerKind;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How late schedules fire: many at the same second, and many over a minute. For Belay that is the
 * time at which the run's row was written, and the time at which its task started on the worker;
 * for a peer the time at which it called its handler.
 */
final class Lateness {

  /** A measurement begins at a multiple of this, and so do the expressions of a case. */
  private static final int STEP_SECONDS = 5;

  private static final Duration LATE_MAX = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(200);

  /**
   * @param runs of each schedule in the measured seconds
   */
  private record Case(
      String name,
      int schedules,
      List<String> expressions,
      int warmUpSeconds,
      int seconds,
      int runs) {
    int allRuns() {
      return schedules * runs;
    }
  }

  private Lateness() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    var cases = cases(wanted);
    var complaints = new ArrayList<String>();
    var results = new ArrayList<Result>();
    var belay = lab.belay("belay", true);
    Map<Case, Result> ours = new HashMap<>();
    for (var each : cases) {
      var result = measure(lab, belay, each, complaints);
      ours.put(each, result);
      results.add(result);
    }
    if (wanted.peers()) {
      for (var kind : List.of(PeerKind.DB_SCHEDULER, PeerKind.QUARTZ)) {
        var peer = lab.cronPeer(kind);
        for (var each : cases) {
          lab.postgres().settle();
          var late =
              peer.lateness(
                  each.schedules(),
                  each.warmUpSeconds(),
                  each.seconds(),
                  each.allRuns(),
                  each.expressions());
          var result =
              withRatios(result(peer.name(), each, late), ours.getOrDefault(each, Result.of("")));
          lab.say(peer.name() + ": " + result.figures());
          results.add(result);
        }
      }
    }
    results.addAll(ScheduleTick.measure(lab, wanted));
    return new Outcome(results, complaints);
  }

  private static List<Case> cases(Wanted wanted) {
    int instants = 4 * wanted.repeats();
    var same =
        new Case(
            "same second",
            1_000,
            List.of("*/5 * * * * *"),
            6 * STEP_SECONDS,
            instants * STEP_SECONDS,
            instants);
    var spread =
        new Case(
            "over a minute",
            wanted.tasksOr(10_000),
            IntStream.range(0, 60).mapToObj("%d * * * * *"::formatted).toList(),
            60,
            60,
            1);
    return List.of(same, spread);
  }

  private static Result measure(Lab lab, BelaySystem belay, Case each, List<String> complaints)
      throws Exception {
    lab.say("belay: %d schedules, %s".formatted(each.schedules(), each.name()));
    StoredSchedules.insert(
        belay.database(),
        each.name().replace(' ', '-') + "-",
        each.schedules(),
        each.expressions());
    lab.postgres().settle();
    long from = nextStart() + each.warmUpSeconds();
    long until = from + each.seconds();
    sleepUntil(from - STEP_SECONDS / 2.0);
    belay.askWorker("watch");
    var before = Usage.of(belay, lab.postgres());
    sleepUntil((double) until);
    var fires = fires(belay, each, from, until);
    var started = started(belay, fires);
    var perRun = Usage.of(belay, lab.postgres()).perTaskSince(before, each.allRuns());
    StoredSchedules.end(belay.database());
    if (fires.size() != each.allRuns() || started.size() != each.allRuns()) {
      complaints.add(
          "Of %d instants (%s), %d fired and %d of their tasks started."
              .formatted(each.allRuns(), each.name(), fires.size(), started.size()));
    }
    var result =
        result("belay", each, fires.values().stream().map(Fire::lateMillis).toList())
            .with("started_p50_ms", Result.rounded(Spread.percentile(started, 0.5)))
            .with("started_p99_ms", Result.rounded(Spread.percentile(started, 0.99)));
    for (var figure : perRun.entrySet()) {
      result = result.with(figure.getKey(), Math.round(figure.getValue()));
    }
    lab.say("belay: " + result.figures());
    return result;
  }

  /** In seconds of the epoch. */
  private static long nextStart() {
    return (System.currentTimeMillis() / 1_000 / STEP_SECONDS + 1) * STEP_SECONDS;
  }

  private static void sleepUntil(double epochSecond) throws InterruptedException {
    Thread.sleep(
        Duration.ofMillis(Math.max(0, (long) (epochSecond * 1_000) - System.currentTimeMillis())));
  }

  /**
   * @param dueMicros of the epoch
   */
  private record Fire(long dueMicros, double lateMillis) {}

  /** The instants that fired, by task; waits until all have one. */
  private static Map<String, Fire> fires(BelaySystem belay, Case each, long from, long until)
      throws SQLException, InterruptedException {
    long giveUp = System.nanoTime() + LATE_MAX.toNanos();
    Map<String, Fire> fires = read(belay, from, until);
    while (fires.size() < each.allRuns() && System.nanoTime() < giveUp) {
      Thread.sleep(LOOK);
      fires = read(belay, from, until);
    }
    return fires;
  }

  private static Map<String, Fire> read(BelaySystem belay, long from, long until)
      throws SQLException {
    Map<String, Fire> fires = new HashMap<>();
    try (var connection = belay.database().connect();
        var query =
            connection.prepareStatement(
                """
                SELECT t.id, extract(epoch FROM f.due_at) * 1e6,
                       extract(epoch FROM f.decided_at - f.due_at) * 1e3
                FROM fire f JOIN task t ON t.run_id = f.run_id
                WHERE f.at >= to_timestamp(?) AND f.at < to_timestamp(?)
                """)) {
      query.setLong(1, from);
      query.setLong(2, until);
      try (var rows = query.executeQuery()) {
        while (rows.next()) {
          fires.put(rows.getString(1), new Fire(rows.getLong(2), rows.getDouble(3)));
        }
      }
    }
    return fires;
  }

  /** How late the tasks started on the worker. */
  private static List<Double> started(BelaySystem belay, Map<String, Fire> fires) throws Exception {
    belay.awaitEnd(0);
    var late = new ArrayList<Double>();
    for (String time : belay.askWorker("times").split(" ")) {
      var parts = time.split("=");
      var fire = fires.get(parts[0]);
      if (fire != null) {
        late.add((Long.parseLong(parts[1]) - fire.dueMicros()) / 1e3);
      }
    }
    return late;
  }

  private static Result result(String system, Case each, List<Double> late) {
    var result =
        Result.of(system)
            .with("case", each.name())
            .with("schedules", each.schedules())
            .with("runs", late.size())
            .with("missing", each.allRuns() - late.size());
    if (late.isEmpty()) {
      return result;
    }
    return result
        .with("p50_ms", Result.rounded(Spread.percentile(late, 0.5)))
        .with("p99_ms", Result.rounded(Spread.percentile(late, 0.99)))
        .with("max_ms", Result.rounded(Spread.percentile(late, 1)));
  }

  /** The p99 of this system over that of Belay's runs, and over that of Belay's tasks. */
  private static Result withRatios(Result peer, Result ours) {
    double p99 = number(peer, "p99_ms");
    return peer.with("ratio", Result.rounded(p99 / number(ours, "p99_ms")))
        .with("ratio_started", Result.rounded(p99 / number(ours, "started_p99_ms")));
  }

  private static double number(Result result, String name) {
    return ((Number) result.figures().getOrDefault(name, Double.NaN)).doubleValue();
  }
}
