package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.regex.Pattern;

/** A run whose tasks each wait for the one before: from the trigger to the end of the run. */
final class Chain {

  private static final int LENGTH = 100;
  private static final int WARM_UP_TASKS = 20_000;
  private static final int WARM_UP_RUNS = 30;
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

  private Chain() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    int length = wanted.tasksOr(LENGTH);
    var belay = lab.belay("belay", true);
    belay
        .rest()
        .post("/workflows", "application/yaml", workflow(length).getBytes(StandardCharsets.UTF_8));
    belay.run(WARM_UP_TASKS);
    for (int i = 0; i < WARM_UP_RUNS; i++) {
      millis(belay);
    }
    lab.postgres().settle();
    var times = new ArrayList<Double>();
    for (int repeat = 1; repeat <= wanted.repeats(); repeat++) {
      times.add(millis(belay));
      lab.say("repeat %d: %.0f ms".formatted(repeat, times.getLast()));
    }
    return Outcome.of(Result.of("belay").withMillis(Spread.of(times)).with("tasks", length));
  }

  private static String workflow(int length) {
    var text = new StringBuilder("name: chain\ntasks:\n");
    for (int i = 0; i < length; i++) {
      text.append("  - {name: t").append(i).append(", command: [noop], pool: ");
      text.append(BelaySystem.POOL);
      text.append(i == 0 ? "" : ", depends_on: [t" + (i - 1) + "]").append("}\n");
    }
    return text.toString();
  }

  private static double millis(BelaySystem belay) throws IOException, InterruptedException {
    long start = System.nanoTime();
    runToEnd(belay, "chain");
    return (System.nanoTime() - start) / 1e6;
  }

  /** Triggers a run and waits until it has succeeded. */
  static void runToEnd(BelaySystem belay, String workflow)
      throws IOException, InterruptedException {
    var id = ID.matcher(belay.rest().post("/workflows/" + workflow + "/runs", "{}"));
    if (!id.find()) {
      throw new IOException("the answer to a trigger has no id");
    }
    String run = belay.rest().fetch("/runs/" + id.group(1) + "?wait=60s");
    if (!run.contains("\"SUCCEEDED\"")) {
      throw new IOException("the run did not succeed: " + run);
    }
  }
}
