package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import dev.belay.benchmarks.lab.Java;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import dev.belay.benchmarks.report.Spread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The server's memory at full speed, perhaps with many tasks that wait for a worker: live heap in
 * the middle and at the end, and the process's resident memory.
 */
final class Memory {

  private static final int TASKS = 100_000;
  private static final String WAITS = "{\"command\":[\"noop\"],\"pool\":\"nobody\"}";
  private static final int LOOK_S = 1;
  private static final Pattern HEAP_USED = Pattern.compile("used (\\d+)K");
  private static final double KIB_IN_MIB = 1024;
  private static final String STILL_WAITING =
      "SELECT count(*) FROM task WHERE state = 'SCHEDULED' AND pool = 'nobody'";

  private Memory() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    int tasks = wanted.tasksOr(TASKS);
    var belay = lab.belay("belay", true);
    double fresh = rss(belay.serverPid());
    lab.say("running %d tasks".formatted(tasks));
    belay.run(tasks / 2);
    double alone = tasks / belay.run(tasks);
    if (wanted.waiting() > 0) {
      lab.say("submitting %d tasks that wait".formatted(wanted.waiting()));
      belay.submit(wanted.waiting(), WAITS);
      lab.postgres().settle();
    }
    lab.say("running %d tasks again".formatted(tasks));
    double rate = tasks / belay.run(tasks);
    long waiting = belay.database().number(STILL_WAITING);
    var heaps = new ArrayList<Double>();
    try (var observer = Executors.newSingleThreadScheduledExecutor()) {
      var looks =
          observer.scheduleWithFixedDelay(
              () -> heaps.add(liveHeap(belay)), LOOK_S, LOOK_S, TimeUnit.SECONDS);
      belay.run(tasks);
      if (looks.isDone()) {
        looks.get(); // a look failed, and nobody looked after that
      }
      looks.cancel(false);
    }
    double busy = rss(belay.serverPid());
    heaps.add(liveHeap(belay));
    return Outcome.of(
        Result.of("belay")
            .with("heap_mib", Result.rounded(heaps.getLast()))
            .with("heap_max_mib", Result.rounded(Spread.of(heaps).max()))
            .with("looks", heaps.size())
            .with("rate", Math.round(rate))
            .with("rate_without_waiting", Math.round(alone))
            .with("ratio", Result.rounded(rate / alone))
            .with("waiting", waiting)
            .with("rss_mib", Result.rounded(busy))
            .with("rss_at_start_mib", Result.rounded(fresh))
            .with("tasks", tasks));
  }

  /** What a full collection leaves, in MiB. */
  private static double liveHeap(BelaySystem belay) {
    try {
      output(Java.tool("jcmd"), "" + belay.serverPid(), "GC.run");
      var info = output(Java.tool("jcmd"), "" + belay.serverPid(), "GC.heap_info");
      var heap = HEAP_USED.matcher(info);
      if (!heap.find()) {
        throw new IOException("jcmd does not tell how much of the heap is used: " + info);
      }
      return Long.parseLong(heap.group(1)) / KIB_IN_MIB;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static double rss(long pid) throws IOException, InterruptedException {
    return Long.parseLong(output("ps", "-o", "rss=", "-p", "" + pid).strip()) / KIB_IN_MIB;
  }

  private static String output(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + text);
    }
    return text;
  }
}
