package dev.belay.benchmarks.peer;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The process of one peer that runs jobs by cron expressions. An order has words with tabs between
 * them: how many jobs, seconds to warm up, seconds to measure, how many runs these should bring,
 * and the expressions, with semicolons, which the jobs take in turn. The answer has the lateness of
 * each run in milliseconds.
 */
public final class CronMain {

  /** For runs that are late or never come. */
  private static final Duration LATE_MAX = Duration.ofSeconds(60);

  /** Windows begin at such times, so that each expression has equally many instants in them. */
  private static final long START_STEP_MS = 5_000;

  private static final Duration LOOK = Duration.ofMillis(100);

  private CronMain() {}

  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    var password = System.getenv().getOrDefault(PeerMain.PASSWORD, "");
    var database = new PeerDatabase(args[1], args[2], password);
    var peer = open(PeerKind.of(args[0]), database);
    try (var orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        answers.println(obey(peer, order.split("\t")));
      }
    } finally {
      peer.close();
    }
    System.exit(0);
  }

  private static CronPeer open(PeerKind kind, PeerDatabase database) throws Exception {
    return switch (kind) {
      case DB_SCHEDULER -> new DbSchedulerCron(database);
      case QUARTZ -> new QuartzCron(database);
      case JOBRUNR, LIMIT -> throw new IllegalArgumentException(kind + " is not measured");
    };
  }

  private static String obey(CronPeer peer, String[] order) throws Exception {
    int jobs = Integer.parseInt(order[0]);
    var expressions = List.of(order[4].split(";"));
    Queue<long[]> ran = new ConcurrentLinkedQueue<>();
    peer.schedule(
        LongStream.range(0, jobs)
            .mapToObj(i -> expressions.get((int) (i % expressions.size())))
            .toList(),
        planned -> ran.add(new long[] {planned, System.currentTimeMillis()}));
    try {
      long from = nextStart() + Long.parseLong(order[1]) * 1_000;
      long until = from + Long.parseLong(order[2]) * 1_000;
      int expected = Integer.parseInt(order[3]);
      long giveUp = until + LATE_MAX.toMillis();
      while (System.currentTimeMillis() < until
          || (count(ran, from, until) < expected && System.currentTimeMillis() < giveUp)) {
        Thread.sleep(LOOK);
      }
      return ran.stream()
          .filter(run -> from <= run[0] && run[0] < until)
          .map(run -> String.format(Locale.ROOT, "%d", run[1] - run[0]))
          .collect(Collectors.joining(" "));
    } finally {
      peer.clear();
    }
  }

  private static long nextStart() {
    return (System.currentTimeMillis() / START_STEP_MS + 1) * START_STEP_MS;
  }

  private static long count(Queue<long[]> ran, long from, long until) {
    return ran.stream().filter(run -> from <= run[0] && run[0] < until).count();
  }
}
