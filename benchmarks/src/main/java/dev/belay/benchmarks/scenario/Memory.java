package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.Java;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.report.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The server's memory after many tasks: live heap, and the process's resident memory. */
final class Memory {

  private static final int TASKS = 100_000;
  private static final Pattern HEAP_USED = Pattern.compile("used (\\d+)K");
  private static final double KIB_IN_MIB = 1024;

  private Memory() {}

  static Outcome run(Lab lab, Wanted wanted) throws Exception {
    int tasks = wanted.tasksOr(TASKS);
    var belay = lab.belay("belay", true);
    double fresh = rss(belay.serverPid());
    lab.say("running %d tasks".formatted(tasks));
    belay.run(tasks);
    double busy = rss(belay.serverPid());
    output(Java.tool("jcmd"), "" + belay.serverPid(), "GC.run");
    var heap = HEAP_USED.matcher(output(Java.tool("jcmd"), "" + belay.serverPid(), "GC.heap_info"));
    if (!heap.find()) {
      throw new IOException("jcmd does not tell how much of the heap is used");
    }
    return Outcome.of(
        Result.of("belay")
            .with("heap_mib", Result.rounded(Long.parseLong(heap.group(1)) / KIB_IN_MIB))
            .with("rss_mib", Result.rounded(busy))
            .with("rss_at_start_mib", Result.rounded(fresh))
            .with("tasks", tasks));
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
