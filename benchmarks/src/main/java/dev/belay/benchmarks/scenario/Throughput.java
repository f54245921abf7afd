package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.Contender;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.lab.Usage;
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

  static final int TASKS = 120_000;

  /**
   * A system is warm when this many repeats in a row differ little, or are no faster than those
   * before: the second compiler is slow on two busy cores.
   */
  private static final int STEADY_REPEATS = 3;

  private static final double STEADY = 1.05;
  private static final int WARM_UPS_MAX = 12;

  private Throughput() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    var contenders = new ArrayList<Contender>();
    var belay = lab.belay("belay", lab.database("belay"), true, settings(wanted));
    contenders.add(belay);
    for (var kind : PeerKind.values()) {
      if (kind == PeerKind.LIMIT ? wanted.limit() : wanted.peers()) {
        contenders.add(lab.peer(kind));
      }
    }
    lab.note("worker_slots", BelaySystem.SLOTS);
    var burst = compare(lab, contenders, wanted.tasksOr(TASKS), wanted.repeats());
    return wanted.minutes() == 0 ? burst : Steady.run(lab, belay, burst, wanted);
  }

  private static Map<String, String> settings(Wanted wanted) {
    return wanted.minutes() == 0 ? Map.of() : Steady.SERVER_SETTINGS;
  }

  /**
   * One repeat.
   *
   * @param perTask what one task used, by name
   */
  private record Repeat(double rate, Map<String, Double> perTask) {}

  /** Warms up each system, then repeats them in turn, so all see the same moods of the machine. */
  static Outcome compare(Lab lab, List<Contender> contenders, int tasks, int repeats)
      throws Exception {
    Map<Contender, List<Repeat>> measured = new LinkedHashMap<>();
    for (var contender : contenders) {
      warmUp(lab, contender, tasks);
      measured.put(contender, new ArrayList<>());
    }
    for (int number = 1; number <= repeats; number++) {
      for (var contender : contenders) {
        var repeat = measure(lab, contender, tasks, "repeat " + number);
        measured.getOrDefault(contender, List.of()).add(repeat);
      }
    }
    return outcome(measured, tasks);
  }

  private static void warmUp(Lab lab, Contender contender, int tasks) throws Exception {
    var rates = new ArrayList<Double>();
    while (!isSteady(rates)) {
      if (rates.size() == WARM_UPS_MAX) {
        lab.note(contender.name() + "_warm_up", "never steady in " + WARM_UPS_MAX + " repeats");
        return;
      }
      rates.add(measure(lab, contender, tasks, "warm-up " + (rates.size() + 1)).rate());
    }
  }

  private static boolean isSteady(List<Double> rates) {
    if (rates.size() < STEADY_REPEATS) {
      return false;
    }
    var earlier = rates.subList(0, rates.size() - STEADY_REPEATS);
    var last = Spread.of(rates.subList(earlier.size(), rates.size()));
    boolean rises =
        earlier.size() < STEADY_REPEATS || last.max() > Spread.of(earlier).max() * STEADY;
    return last.max() <= last.min() * STEADY || !rises;
  }

  private static Repeat measure(Lab lab, Contender contender, int tasks, String what)
      throws Exception {
    lab.postgres().settle();
    int share = contender.share(tasks);
    var before = Usage.of(contender, lab.postgres());
    double seconds = contender.run(share);
    var used = Usage.of(contender, lab.postgres()).perTaskSince(before, share);
    double rate = share / seconds;
    lab.say(
        "%s, %s: %d tasks in %.1f s, %.0f a second"
            .formatted(contender.name(), what, share, seconds, rate));
    return new Repeat(rate, used);
  }

  private static Outcome outcome(Map<Contender, List<Repeat>> measured, int tasks)
      throws Exception {
    var results = new ArrayList<Result>();
    var complaints = new ArrayList<String>();
    double ours = 0;
    for (var each : measured.entrySet()) {
      var name = each.getKey().name();
      var spread = Spread.of(each.getValue().stream().map(Repeat::rate).toList());
      var result = Result.of(name).withRate(spread).with("tasks", each.getKey().share(tasks));
      if (results.isEmpty()) {
        ours = spread.median();
      } else {
        result = result.with("ratio", Result.rounded(ours / spread.median()));
        complain(name, spread.median()).ifPresent(complaints::add);
      }
      results.add(withUsage(result, each.getValue(), each.getKey().figures()));
    }
    return new Outcome(results, complaints);
  }

  private static Result withUsage(
      Result result, List<Repeat> repeats, Map<String, Object> figures) {
    var full = result;
    for (var name : repeats.getFirst().perTask().keySet()) {
      var values = repeats.stream().map(each -> each.perTask().getOrDefault(name, 0.0)).toList();
      full = full.with(name, Math.round(Spread.of(values).median() * 10) / 10.0);
    }
    for (var figure : figures.entrySet()) {
      full = full.with(figure.getKey(), figure.getValue());
    }
    return full;
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
