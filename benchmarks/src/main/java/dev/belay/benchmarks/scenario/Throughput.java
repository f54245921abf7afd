package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.Contender;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.peer.PeerKind;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** No-op tasks per second, from submit through execution to the recorded end. */
final class Throughput {

  static final int TASKS = 60_000;

  /**
   * Warm-ups continue until the system gets no faster: the second compiler is slow on two busy
   * cores.
   */
  private static final int WARM_UPS_MIN = 2;

  private static final int WARM_UPS_MAX = 6;
  private static final double STILL_FASTER = 1.05;

  private Throughput() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    var contenders = new ArrayList<Contender>();
    contenders.add(lab.belay("belay", true));
    for (var kind : PeerKind.values()) {
      if (kind == PeerKind.LIMIT ? wanted.limit() : wanted.peers()) {
        contenders.add(lab.peer(kind));
      }
    }
    lab.note("worker_slots", BelaySystem.SLOTS);
    return compare(lab, contenders, wanted.tasksOr(TASKS), wanted.repeats());
  }

  /** Warms up each system, then repeats them in turn, so all see the same moods of the machine. */
  static Outcome compare(Lab lab, List<Contender> contenders, int tasks, int repeats)
      throws Exception {
    Map<Contender, List<Double>> rates = new LinkedHashMap<>();
    for (var contender : contenders) {
      double best = 0;
      for (int i = 0; i < WARM_UPS_MAX; i++) {
        lab.postgres().settle();
        double rate = measure(lab, contender, tasks, "warm-up");
        if (i + 1 >= WARM_UPS_MIN && rate < best * STILL_FASTER) {
          break;
        }
        best = Math.max(best, rate);
      }
      rates.put(contender, new ArrayList<>());
    }
    for (int repeat = 1; repeat <= repeats; repeat++) {
      for (var contender : contenders) {
        lab.postgres().settle();
        double rate = measure(lab, contender, tasks, "repeat " + repeat);
        rates.getOrDefault(contender, List.of()).add(rate);
      }
    }
    return outcome(rates, tasks);
  }

  private static double measure(Lab lab, Contender contender, int tasks, String what)
      throws Exception {
    int share = contender.share(tasks);
    double seconds = contender.run(share);
    double rate = share / seconds;
    lab.say(
        "%s, %s: %d tasks in %.1f s, %.0f a second"
            .formatted(contender.name(), what, share, seconds, rate));
    return rate;
  }

  private static Outcome outcome(Map<Contender, List<Double>> rates, int tasks) {
    var results = new ArrayList<Result>();
    var complaints = new ArrayList<String>();
    double ours = 0;
    for (var each : rates.entrySet()) {
      var name = each.getKey().name();
      var spread = Spread.of(each.getValue());
      var result = Result.of(name).withRate(spread).with("tasks", each.getKey().share(tasks));
      if (results.isEmpty()) {
        ours = spread.median();
      } else {
        result = result.with("ratio", Result.rounded(ours / spread.median()));
        complain(name, spread.median()).ifPresent(complaints::add);
      }
      results.add(result);
    }
    return new Outcome(results, complaints);
  }

  private static Optional<String> complain(String name, double rate) {
    for (var kind : PeerKind.values()) {
      if (kind.label().equals(name) && rate < kind.expected()) {
        return Optional.of(
            "%s ran at %.0f tasks a second; below %d it was not at its best here, so a comparison would flatter Belay."
                .formatted(name, rate, kind.expected()));
      }
    }
    return Optional.empty();
  }
}
