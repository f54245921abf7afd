package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Address;
import dev.belay.benchmarks.lab.EngineTick;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.lab.StoredQueues;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What it costs to give a waiting task to a worker, as workers grow while the tasks stay as many;
 * and how long tasks wait behind others that a limit holds back. Runs in this process: the leader's
 * phases on the store, with workers that are only rows.
 */
final class RoutingCost {

  private static final List<Integer> WORKERS = List.of(100, 1_000, 10_000);
  private static final int WAITING = 100_000;
  private static final int POOLS = 10;
  private static final int TENANTS = 5;

  /** Half of the slots are enough, so no task waits for a worker that is busy. */
  private static final int SLOTS_PER_TASK = 2;

  private static final int KEYS = 1_000;
  private static final int FREE = 100;
  private static final int BLOCKED_WORKERS = 1_000;
  private static final int BLOCKED_PRIORITY = 80;
  private static final int FREE_PRIORITY = 50;

  private static final SortedSet<String> FAST = new TreeSet<>(List.of("fast"));

  private RoutingCost() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    int waiting = wanted.tasksOr(WAITING);
    lab.note("waiting_tasks", waiting);
    lab.note("task_queues", POOLS * TENANTS * 2);
    var results = new ArrayList<>(placements(lab, wanted.repeats(), waiting));
    results.add(blocked(lab, wanted.repeats(), waiting));
    return new Outcome(results, List.of());
  }

  private static List<Result> placements(Lab lab, int repeats, int waiting) throws Exception {
    var databases = new ArrayList<Address>();
    var micros = new ArrayList<List<Double>>();
    for (int workers : WORKERS) {
      lab.say("filling %d workers".formatted(workers));
      var database = database(lab, "routing_" + workers);
      StoredQueues.workers(database, workers, POOLS, SLOTS_PER_TASK * waiting / workers);
      databases.add(database);
      micros.add(new ArrayList<>());
    }
    for (int repeat = 0; repeat <= repeats; repeat++) {
      for (int i = 0; i < WORKERS.size(); i++) {
        double each = place(lab, databases.get(i), waiting);
        lab.say(
            "%d workers, %s: %.0f placements a second"
                .formatted(
                    WORKERS.get(i), repeat == 0 ? "warm-up" : "repeat " + repeat, 1e6 / each));
        if (repeat > 0) {
          micros.get(i).add(each);
        }
      }
    }
    var results = new ArrayList<Result>();
    double first = Spread.of(micros.getFirst()).median();
    for (int i = 0; i < WORKERS.size(); i++) {
      double median = Spread.of(micros.get(i)).median();
      results.add(
          Result.of("belay")
              .with("workers", WORKERS.get(i))
              .with("rate", Math.round(1e6 / median))
              .with("placement_us", Result.rounded(median))
              .with("ratio", Result.rounded(median / first)));
    }
    return results;
  }

  /** Microseconds for each placement by a new leader. */
  private static double place(Lab lab, Address database, int waiting) throws Exception {
    StoredQueues.clear(database);
    StoredQueues.tasks(
        database, waiting, FREE_PRIORITY, StoredQueues.intern(database, plainQueues()));
    lab.postgres().settle();
    try (var engine = EngineTick.serving(database)) {
      return engine.claim(waiting).toNanos() / 1e3 / waiting;
    }
  }

  /** Many tasks wait for keys that are taken. Others, with a lower priority, can start. */
  private static Result blocked(Lab lab, int repeats, int waiting) throws Exception {
    lab.say("filling %d tasks that wait for %d keys".formatted(waiting, KEYS));
    var database = database(lab, "routing_blocked");
    StoredQueues.workers(
        database, BLOCKED_WORKERS, POOLS, 2 * SLOTS_PER_TASK * KEYS / BLOCKED_WORKERS);
    List<QueueId> keys = StoredQueues.intern(database, keyQueues());
    StoredQueues.holders(database, keys);
    StoredQueues.tasks(database, waiting, BLOCKED_PRIORITY, keys);
    List<QueueId> free = StoredQueues.intern(database, plainQueues());
    lab.postgres().settle();
    var running = new ArrayList<Double>();
    var elected = new ArrayList<Double>();
    for (int repeat = 0; repeat <= repeats; repeat++) {
      try (var engine = EngineTick.serving(database)) {
        engine.runOnce();
        StoredQueues.tasks(database, FREE, FREE_PRIORITY, free);
        engine.ready(free);
        running.add(engine.claim(FREE).toNanos() / 1e6);
      }
      StoredQueues.tasks(database, FREE, FREE_PRIORITY, free);
      try (var engine = EngineTick.serving(database)) {
        elected.add(engine.claim(FREE).toNanos() / 1e6);
      }
      lab.say(
          "%d tasks behind %d blocked ones started after %.1f ms, by a new leader after %.1f ms"
              .formatted(FREE, waiting, running.getLast(), elected.getLast()));
    }
    return Result.of("belay")
        .with("workers", BLOCKED_WORKERS)
        .with("blocked", waiting)
        .with("started", FREE)
        .with("started_ms", Result.rounded(Spread.of(running).max()))
        .with("elected_ms", Result.rounded(Spread.of(elected).max()));
  }

  private static Address database(Lab lab, String name) throws SQLException {
    var database = lab.postgres().create(name);
    EngineTick.on(database).close();
    return database;
  }

  /** Each pool has tasks of several tenants, half of which need a fast worker. */
  private static List<TaskQueue> plainQueues() {
    return IntStream.range(0, POOLS * TENANTS * 2)
        .mapToObj(i -> queue(i / TENANTS / 2, i % TENANTS, i / TENANTS % 2 == 1, null))
        .toList();
  }

  private static List<TaskQueue> keyQueues() {
    return IntStream.range(0, KEYS)
        .mapToObj(
            i ->
                queue(
                    i % POOLS,
                    i / POOLS % TENANTS,
                    false,
                    new Concurrency("key-" + i, 1, OnConflict.QUEUE)))
        .toList();
  }

  private static TaskQueue queue(int pool, int tenant, boolean fast, @Nullable Concurrency key) {
    var anywhere = Placement.inPool("pool-" + pool);
    var placement =
        new Placement(
            null,
            anywhere.pool(),
            fast ? FAST : anywhere.requires(),
            Map.of(),
            null,
            anywhere.size(),
            null);
    return new TaskQueue("tenant-" + tenant, null, placement, key, null);
  }
}
