package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Address;
import dev.belay.benchmarks.lab.EngineSchedules;
import dev.belay.benchmarks.lab.EngineTick;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.lab.StoredSchedules;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.util.ArrayList;
import java.util.List;

/** What a tick and a step of the schedules' loop cost beside schedules that are not due. */
final class ScheduleTick {

  private static final List<Integer> NOT_DUE = List.of(1_000, 100_000);
  private static final int STEPS = 1_000;
  private static final int WARM_UP_STEPS = 500;

  /** On a day that this bench does not meet: the 29th of February. */
  private static final List<String> NEVER = List.of("0 0 0 29 2 *");

  private ScheduleTick() {}

  /** The milliseconds of ticks and of steps, beside so many schedules. */
  private record Times(int notDue, Address database, List<Double> ticks, List<Double> steps) {}

  static List<Result> measure(Lab lab, Wanted wanted) throws Exception {
    var all = new ArrayList<Times>();
    for (int notDue : NOT_DUE) {
      lab.say("filling %d schedules that are not due".formatted(notDue));
      var database = lab.postgres().create("schedules_" + notDue);
      EngineTick.on(database).close();
      StoredSchedules.insert(database, "later-", notDue, NEVER);
      all.add(new Times(notDue, database, new ArrayList<>(), new ArrayList<>()));
    }
    for (int repeat = 0; repeat <= wanted.repeats(); repeat++) {
      for (var times : all) {
        lab.postgres().settle();
        step(times, repeat == 0 ? WARM_UP_STEPS : STEPS, repeat > 0);
      }
    }
    return results(all);
  }

  private static void step(Times times, int count, boolean kept) {
    try (var tick = EngineTick.on(times.database())) {
      var millis = millis(tick::runOnce, count);
      times.ticks().addAll(kept ? millis : List.of());
    }
    try (var schedules = EngineSchedules.on(times.database())) {
      var millis = millis(schedules::runOnce, count);
      times.steps().addAll(kept ? millis : List.of());
    }
  }

  private static List<Double> millis(Runnable step, int count) {
    var millis = new ArrayList<Double>();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      step.run();
      millis.add((System.nanoTime() - start) / 1e6);
    }
    return millis;
  }

  private static List<Result> results(List<Times> all) {
    double tick = Spread.percentile(all.getFirst().ticks(), 0.5);
    double step = Spread.percentile(all.getFirst().steps(), 0.5);
    return all.stream()
        .map(
            times -> {
              double ticks = Spread.percentile(times.ticks(), 0.5);
              double steps = Spread.percentile(times.steps(), 0.5);
              return Result.of("belay")
                  .with("case", "not due")
                  .with("schedules", times.notDue())
                  .with("tick_p50_ms", Result.rounded(ticks))
                  .with("tick_ratio", Result.rounded(ticks / tick))
                  .with("step_p50_ms", Result.rounded(steps))
                  .with("step_ratio", Result.rounded(steps / step));
            })
        .toList();
  }
}
