package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Address;
import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.FinishedTasks;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** How long the API takes for lists and for the calls of a task's page. One thread. */
final class ReadTimes {

  private static final int SAMPLES = 100;
  private static final int WARM_UP_SAMPLES = 20;
  private static final int IDS = 300;

  /** A slow read is known after fewer samples. */
  private static final Duration EACH_MAX = Duration.ofSeconds(20);

  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  /** Each line is one read: its calls follow each other. */
  private static final List<String> READS =
      """
      /tasks
      /tasks?limit=500
      /tasks?cursor={task}
      /tasks?state=SUCCEEDED
      /tasks?state=FAILED
      /tasks?state=TIMEOUT
      /tasks?state=CANCELLED
      /tasks?state=RUNNING
      /tasks?state=SCHEDULED
      /tasks?state=PENDING
      /tasks?state=WAITING
      /tasks?state=DISPATCHED,RUNNING
      /tasks?run={run}
      /tasks?run={run}&state=FAILED
      /tasks?name=noop
      /tasks?name=unknown
      /tasks?pool=bench
      /tasks?pool=unknown
      /tasks?worker={worker}
      /tasks?worker={task}
      /tasks?changed_after={time}
      /tasks?tenant=unknown
      /runs
      /runs?workflow={workflow}
      /runs?workflow=unknown
      /runs?state=SUCCEEDED
      /runs?state=FAILED
      /runs?state=CANCELLED
      /runs?state=RUNNING
      /runs?workflow={workflow}&state=CANCELLED
      /workflows
      /workers
      /recovery
      /recovery/events
      /alerts
      /runs/{run} /runs/{run}/history /tasks?run={run}
      /tasks/{task} /tasks/{task}/attempts /tasks/{task}/history /tasks/{task}/logs
      """
          .lines()
          .toList();

  private final Lab lab;
  private final Subject full;
  private final Subject empty;

  ReadTimes(Lab lab, BelaySystem full, BelaySystem empty) throws SQLException {
    this.lab = lab;
    this.full = new Subject(full);
    this.empty = new Subject(empty);
  }

  /** One result for each read. */
  List<Result> measure(int repeats) throws IOException, InterruptedException {
    Map<String, List<Double>> ofFull = new LinkedHashMap<>();
    Map<String, List<Double>> ofEmpty = new LinkedHashMap<>();
    for (int repeat = 0; repeat <= repeats; repeat++) {
      lab.say(repeat == 0 ? "reads, warm-up" : "reads, repeat " + repeat);
      for (var read : READS) {
        var one = ofFull.computeIfAbsent(read, first -> new ArrayList<>());
        var other = ofEmpty.computeIfAbsent(read, first -> new ArrayList<>());
        if (repeat == 0) {
          sample(read, WARM_UP_SAMPLES, new ArrayList<>(), new ArrayList<>());
        } else {
          sample(read, SAMPLES, one, other);
          lab.say(
              "repeat %d: %s p99 %.1f ms, empty %.1f ms"
                  .formatted(
                      repeat, read, Spread.percentile(one, 0.99), Spread.percentile(other, 0.99)));
        }
      }
    }
    var results = new ArrayList<Result>();
    for (var read : READS) {
      results.add(
          History.compared(
                  read, ofFull.getOrDefault(read, List.of()), ofEmpty.getOrDefault(read, List.of()))
              .with("failed", full.failed.getOrDefault(read, 0)));
    }
    return results;
  }

  /** By turns, so both meet the same machine. */
  private void sample(String read, int samples, List<Double> ofFull, List<Double> ofEmpty)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    for (int i = 0; i < samples; i++) {
      ofFull.add(full.millis(read));
      ofEmpty.add(empty.millis(read));
      if (System.nanoTime() - start > EACH_MAX.toNanos()) {
        return;
      }
    }
  }

  /** A system with ids from all over its database. */
  private static final class Subject {
    private final BelaySystem belay;
    private final List<UUID> tasks;
    private final List<UUID> runs;
    private final List<UUID> workers;
    private final Map<String, Integer> failed = new LinkedHashMap<>();
    private final Random random = new Random(1);

    Subject(BelaySystem belay) throws SQLException {
      this.belay = belay;
      this.tasks = spread(belay.database(), "task", "id");
      this.runs = spread(belay.database(), "run", "id");
      this.workers = spread(belay.database(), "task", "worker_id");
    }

    /** Values of a column in rows whose ids are spread over the whole table. */
    private List<UUID> spread(Address database, String table, String column) throws SQLException {
      String first = "SELECT id FROM " + table + " ORDER BY id LIMIT 1";
      String last = "SELECT id FROM " + table + " ORDER BY id DESC LIMIT 1";
      String at = "SELECT " + column + " FROM " + table + " WHERE id >= ? ORDER BY id LIMIT 1";
      var values = new ArrayList<UUID>();
      try (var connection = database.connect();
          var statement = connection.createStatement();
          var find = connection.prepareStatement(at)) {
        long from = highBits(statement, first);
        long to = highBits(statement, last);
        for (int i = 0; i < IDS; i++) {
          find.setObject(1, new UUID(random.nextLong(from, to + 1), 0));
          try (var rows = find.executeQuery()) {
            while (rows.next()) {
              values.add(rows.getObject(1, UUID.class));
            }
          }
        }
      }
      return values;
    }

    private static long highBits(Statement statement, String query) throws SQLException {
      try (var rows = statement.executeQuery(query)) {
        rows.next();
        return rows.getObject(1, UUID.class).getMostSignificantBits();
      }
    }

    double millis(String read) throws IOException, InterruptedException {
      String calls =
          read.replace("{task}", one(tasks))
              .replace("{run}", one(runs))
              .replace("{worker}", one(workers))
              .replace("{workflow}", FinishedTasks.WORKFLOW)
              .replace("{time}", Instant.now().minusSeconds(60).toString());
      long start = System.nanoTime();
      for (String call : calls.split(" ")) {
        int status = belay.rest().status(call);
        // A task of the past has no log.
        if (status != OK && !(status == NOT_FOUND && call.endsWith("/logs"))) {
          failed.merge(read, 1, Integer::sum);
        }
      }
      return (System.nanoTime() - start) / 1e6;
    }

    private String one(List<UUID> of) {
      return of.get(random.nextInt(of.size())).toString();
    }
  }
}
