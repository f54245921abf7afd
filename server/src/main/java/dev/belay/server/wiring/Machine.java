package dev.belay.server.wiring;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.OrderedIds;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * Time, chance and threads of this process.
 *
 * @param ticker monotonic nanoseconds
 * @param threads daemon platform threads for loops
 * @param blocking a virtual thread for each job
 */
public record Machine(
    InstantSource clock,
    LongSupplier ticker,
    SecureRandom random,
    Ids ids,
    ThreadFactory threads,
    ExecutorService blocking) {

  public static Machine real() {
    var random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    return new Machine(
        clock,
        System::nanoTime,
        random,
        new OrderedIds(clock, random),
        Thread.ofPlatform().daemon().factory(),
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("blocking-", 0).factory()));
  }
}
