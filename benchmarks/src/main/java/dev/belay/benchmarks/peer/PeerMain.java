package dev.belay.benchmarks.peer;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The process of one peer: takes orders from standard input until it ends. */
public final class PeerMain {

  /** The environment variable with the password of the database. */
  public static final String PASSWORD = "BELAY_BENCH_PASSWORD";

  private PeerMain() {}

  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    // Keeps output of libraries apart from answers.
    System.setOut(System.err);
    var password = System.getenv().getOrDefault(PASSWORD, "");
    var database = new PeerDatabase(args[1], args[2], password);
    try (var peer = open(PeerKind.of(args[0]), database);
        var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        answers.println(obey(peer, order.split(" ")));
      }
    }
    System.exit(0);
  }

  private static Peer open(PeerKind kind, PeerDatabase database) throws Exception {
    return switch (kind) {
      case DB_SCHEDULER -> new DbSchedulerPeer(database);
      case JOBRUNR -> new JobRunrPeer(database);
      case QUARTZ -> new QuartzPeer(database);
      case LIMIT -> new PlainWrites(database);
    };
  }

  private static String obey(Peer peer, String[] order) throws Exception {
    peer.resume();
    try {
      return switch (order[0]) {
        case "run" -> run(peer, Integer.parseInt(order[1]));
        case "latency" -> latencies(peer, Integer.parseInt(order[1]), Integer.parseInt(order[2]));
        default -> throw new IllegalArgumentException(order[0]);
      };
    } finally {
      peer.pause();
    }
  }

  private static String run(Peer peer, int jobs) throws Exception {
    long start = System.nanoTime();
    peer.run(jobs);
    return Double.toString((System.nanoTime() - start) / 1e9);
  }

  private static String latencies(Peer peer, int perSecond, int jobs) throws Exception {
    var times = new ConcurrentLinkedQueue<Long>();
    var started = new CountDownLatch(jobs);
    long begin = System.nanoTime();
    for (int i = 0; i < jobs; i++) {
      long due = begin + i * 1_000_000_000L / perSecond;
      LockSupport.parkNanos(due - System.nanoTime());
      long submitted = System.nanoTime();
      peer.submit(
          () -> {
            times.add(System.nanoTime() - submitted);
            started.countDown();
          });
    }
    started.await();
    return times.stream()
        .map(nanos -> String.format(Locale.ROOT, "%.3f", nanos / 1e6))
        .collect(Collectors.joining(" "));
  }
}
