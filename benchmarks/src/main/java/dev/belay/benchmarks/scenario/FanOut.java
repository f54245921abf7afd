package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.stream.Stream;

/**
 * A run in which many tasks wait for one: from the start of that one to the start of the last, both
 * by the worker's clock.
 */
final class FanOut {

  private static final int WIDTH = 1_000;
  private static final int WARM_UP_TASKS = 20_000;
  private static final int WARM_UP_RUNS = 15;

  private FanOut() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    int width = wanted.tasksOr(WIDTH);
    var belay = lab.belay("belay", true);
    belay
        .rest()
        .post("/workflows", "application/yaml", workflow(width).getBytes(StandardCharsets.UTF_8));
    belay.run(WARM_UP_TASKS);
    for (int i = 0; i < WARM_UP_RUNS; i++) {
      millis(belay, width);
    }
    lab.postgres().settle();
    var times = new ArrayList<Double>();
    for (int repeat = 1; repeat <= wanted.repeats(); repeat++) {
      times.add(millis(belay, width));
      lab.say("repeat %d: %.0f ms".formatted(repeat, times.getLast()));
    }
    return Outcome.of(Result.of("belay").withMillis(Spread.of(times)).with("tasks", width));
  }

  private static String workflow(int width) {
    String pool = ", command: [noop], pool: " + BelaySystem.POOL;
    var text = new StringBuilder("name: fanout\ntasks:\n");
    text.append("  - {name: root").append(pool).append("}\n");
    for (int i = 0; i < width; i++) {
      text.append("  - {name: t").append(i).append(pool).append(", depends_on: [root]}\n");
    }
    return text.toString();
  }

  private static double millis(BelaySystem belay, int width)
      throws IOException, InterruptedException {
    belay.askWorker("watch");
    Chain.runToEnd(belay, "fanout");
    var starts =
        Stream.of(belay.askWorker("times").split(" "))
            .map(time -> Long.parseLong(time.substring(time.indexOf('=') + 1)))
            .sorted()
            .toList();
    if (starts.size() != width + 1) {
      throw new IOException(starts.size() + " of " + (width + 1) + " starts were seen");
    }
    return (starts.getLast() - starts.getFirst()) / 1e3;
  }
}
