package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.DiskProbe;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.peer.PeerKind;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * From the submit of one task to its start on the worker, on an idle system. Both ends read the
 * clock of the same machine: the client before it sends, the worker in the handler.
 *
 * <p>A task waits for two commits, so a stalled disk delays it by as much. A probe tells which
 * tasks met a stall, and {@code p99_calm_ms} leaves these out.
 */
final class Latency {

  private static final int PER_SECOND = 50;
  private static final int TASKS = 20 * PER_SECOND;
  private static final int WARM_UP_TASKS = 20_000;

  /** Faster than the measured submits: the compilers count calls, not time. */
  private static final int WARM_UP_PER_SECOND = 300;

  private static final int WARM_UP_SUBMITS = 20_000;

  /** A sync that takes longer is a stall; a usual one takes some tenths of a millisecond. */
  private static final double STALL_MS = 2;

  private static final int LOOKS_MAX = 300;
  private static final int LOOK_MS = 100;
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

  private Latency() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    int tasks = wanted.tasksOr(TASKS);
    var belay = lab.belay("belay", true);
    lab.note("submits_per_second", PER_SECOND);
    belay.run(WARM_UP_TASKS);
    latencies(belay, WARM_UP_PER_SECOND, WARM_UP_SUBMITS);
    lab.postgres().settle();
    var results = new ArrayList<Result>();
    results.add(watched(lab, wanted, belay, tasks));
    if (wanted.peers()) {
      var peer = lab.peer(PeerKind.DB_SCHEDULER);
      peer.run(WARM_UP_TASKS);
      peer.latencies(WARM_UP_PER_SECOND, WARM_UP_SUBMITS);
      lab.postgres().settle();
      results.add(
          result(peer.name(), repeated(lab, wanted, () -> peer.latencies(PER_SECOND, tasks))));
    }
    return new Outcome(results, List.of());
  }

  /** When a task was submitted and when it started, in microseconds. */
  private record Start(long sent, long started) {
    double millis() {
      return (started - sent) / 1e3;
    }
  }

  private static Result watched(Lab lab, Wanted wanted, BelaySystem belay, int tasks)
      throws Exception {
    try (var disk = lab.probeDisk()) {
      var starts = new ArrayList<Start>();
      var repeats =
          repeated(
              lab,
              wanted,
              () -> {
                var repeat = starts(belay, PER_SECOND, tasks);
                starts.addAll(repeat);
                return millis(repeat);
              });
      var calm =
          millis(
              starts.stream()
                  .filter(start -> !disk.stalled(start.sent(), start.started(), STALL_MS))
                  .toList());
      var syncs = disk.millis();
      return result("belay", repeats)
          .with("p99_calm_ms", Result.rounded(Spread.percentile(calm, 0.99)))
          .with("calm_share", Result.rounded((double) calm.size() / starts.size()))
          .with("disk_sync_p50_ms", Result.rounded(Spread.percentile(syncs, 0.5)))
          .with("disk_sync_p99_ms", Result.rounded(Spread.percentile(syncs, 0.99)))
          .with("disk_sync_max_ms", Result.rounded(Spread.percentile(syncs, 1)));
    }
  }

  /** Measures once. */
  private interface Measurement {
    List<Double> millis() throws Exception;
  }

  private static List<List<Double>> repeated(Lab lab, Wanted wanted, Measurement measurement)
      throws Exception {
    var repeats = new ArrayList<List<Double>>();
    for (int repeat = 1; repeat <= wanted.repeats(); repeat++) {
      var millis = measurement.millis();
      lab.say(
          "repeat %d: p50 %.2f ms, p99 %.2f ms"
              .formatted(repeat, Spread.percentile(millis, 0.5), Spread.percentile(millis, 0.99)));
      repeats.add(millis);
    }
    return repeats;
  }

  /** The median of the repeats, for each percentile. */
  private static Result result(String system, List<List<Double>> repeats) {
    var result = Result.of(system);
    for (var share : List.of(0.5, 0.9, 0.99, 1.0)) {
      var spread = Spread.of(repeats.stream().map(each -> Spread.percentile(each, share)).toList());
      String name = share == 1.0 ? "max_ms" : "p%d_ms".formatted(Math.round(share * 100));
      result = result.with(name, Result.rounded(spread.median()));
    }
    return result.with("tasks", repeats.stream().mapToInt(List::size).sum());
  }

  /** One usual measurement. */
  static List<Double> measure(BelaySystem belay) throws Exception {
    return latencies(belay, PER_SECOND, TASKS);
  }

  private static List<Double> latencies(BelaySystem belay, int perSecond, int tasks)
      throws Exception {
    return millis(starts(belay, perSecond, tasks));
  }

  private static List<Double> millis(List<Start> starts) {
    return starts.stream().map(Start::millis).toList();
  }

  private static List<Start> starts(BelaySystem belay, int perSecond, int tasks) throws Exception {
    belay.askWorker("watch");
    long before = Long.parseLong(belay.askWorker("count"));
    Map<String, Long> sent = send(belay, perSecond, tasks);
    for (int look = 0; Long.parseLong(belay.askWorker("count")) < before + tasks; look++) {
      if (look == LOOKS_MAX) {
        throw new IOException("some tasks never started");
      }
      Thread.sleep(LOOK_MS);
    }
    var starts = new ArrayList<Start>();
    for (String time : belay.askWorker("times").split(" ")) {
      var parts = time.split("=");
      Long from = sent.get(parts[0]);
      if (from != null) {
        starts.add(new Start(from, Long.parseLong(parts[1])));
      }
    }
    if (starts.size() != tasks) {
      throw new IOException(starts.size() + " of " + tasks + " starts were seen");
    }
    return starts;
  }

  /** Sends at a steady pace, without waiting for answers. */
  private static Map<String, Long> send(BelaySystem belay, int perSecond, int tasks)
      throws Exception {
    Map<String, Long> sent = new ConcurrentHashMap<>();
    var failure = new AtomicReference<IOException>();
    long begin = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < tasks; i++) {
        long due = begin + i * 1_000_000_000L / perSecond;
        LockSupport.parkNanos(due - System.nanoTime());
        threads.execute(
            () -> {
              try {
                long now = DiskProbe.micros();
                var id = ID.matcher(belay.rest().post("/tasks", BelaySystem.TASK));
                if (!id.find()) {
                  throw new IOException("the answer to a submit has no id");
                }
                sent.put(id.group(1), now);
              } catch (IOException e) {
                failure.set(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
      }
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    return sent;
  }
}
