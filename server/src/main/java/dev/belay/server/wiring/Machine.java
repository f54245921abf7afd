package dev.belay.server.wiring;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.OrderedIds;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * Time, randomness and threads of this process.
 *
 * @param ticker monotonic nanoseconds
 * @param workTicker CPU nanoseconds of the calling thread
 * @param threads daemon platform threads for loops
 * @param blocking a virtual thread for each piece of work
 */
public record Machine(
    InstantSource clock,
    LongSupplier ticker,
    LongSupplier workTicker,
    SecureRandom random,
    Ids ids,
    ThreadFactory threads,
    ExecutorService blocking) {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  public static Machine real() {
    var random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    return new Machine(
        clock,
        System::nanoTime,
        Machine::worked,
        random,
        new OrderedIds(clock, random),
        Thread.ofPlatform().daemon().factory(),
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("blocking-", 0).factory()));
  }

  private static long worked() {
    // The JVM does not measure virtual threads.
    return THREADS.isCurrentThreadCpuTimeSupported() && !Thread.currentThread().isVirtual()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }
}
