package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.util.ArrayList;

/** Tasks per second that the server accepts in bulk over REST, without a worker. */
final class Enqueue {

  private static final int TASKS = 100_000;

  private Enqueue() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    int tasks = wanted.tasksOr(TASKS);
    var belay = lab.belay("belay", false);
    belay.submit(tasks);
    var rates = new ArrayList<Double>();
    for (int repeat = 1; repeat <= wanted.repeats(); repeat++) {
      lab.postgres().settle();
      long start = System.nanoTime();
      belay.submit(tasks);
      double rate = tasks / ((System.nanoTime() - start) / 1e9);
      lab.say("belay, repeat %d: %.0f accepted a second".formatted(repeat, rate));
      rates.add(rate);
    }
    return Outcome.of(Result.of("belay").withRate(Spread.of(rates)).with("tasks", tasks));
  }
}
