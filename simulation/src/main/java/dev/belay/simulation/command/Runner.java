package dev.belay.simulation.command;

import dev.belay.simulation.Result;
import dev.belay.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** Runs many seeds in parallel, and delivers their results in the order of the seeds. */
final class Runner {
  /** Waiting or finished seeds for each thread: so many can overtake a slow one. */
  private static final int WINDOW_MAX = 32;

  private static final long LOOK_MILLIS = 500;

  private final Simulator simulator;
  private final int threads;
  private final LongSupplier nanos;

  /**
   * @param nanos the real time
   */
  Runner(Simulator simulator, int threads, LongSupplier nanos) {
    this.simulator = simulator;
    this.threads = threads;
    this.nanos = nanos;
  }

  /** Receives the results on the caller's thread. */
  interface Sink {
    /** Returns whether to continue. */
    boolean take(Result result);

    /** Called now and then while it waits. */
    default void waitingFor(long seed) {}
  }

  /** Runs until the seeds or the time are used up, or the sink has enough. */
  void run(SeedRange seeds, Duration timeMax, LongFunction<Scenario> scenarios, Sink sink)
      throws InterruptedException {
    long started = nanos.getAsLong();
    long next = seeds.from();
    var pool = Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory());
    var window = new ArrayDeque<Waiting>();
    try {
      while (true) {
        while (window.size() < threads * WINDOW_MAX
            && next <= seeds.to()
            && nanos.getAsLong() - started < timeMax.toNanos()) {
          window.add(submit(pool, scenarios.apply(next++)));
        }
        var first = window.poll();
        if (first == null || !sink.take(await(first, sink))) {
          return;
        }
      }
    } finally {
      stop(pool, window);
    }
  }

  private record Waiting(long seed, Future<Result> result) {}

  private Waiting submit(ExecutorService pool, Scenario scenario) {
    return new Waiting(scenario.seed(), pool.submit(() -> simulator.run(scenario)));
  }

  private static Result await(Waiting waiting, Sink sink) throws InterruptedException {
    while (true) {
      try {
        return waiting.result().get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        sink.waitingFor(waiting.seed());
      } catch (ExecutionException e) {
        throw new IllegalStateException("seed " + waiting.seed() + " broke the simulator", e);
      }
    }
  }

  /** Running seeds continue unobserved: an interrupt would reach the code under test. */
  private static void stop(ExecutorService pool, Deque<Waiting> window) {
    window.forEach(waiting -> waiting.result().cancel(false));
    pool.shutdown();
  }
}
