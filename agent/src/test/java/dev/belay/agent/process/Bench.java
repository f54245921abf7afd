package dev.belay.agent.process;

import dev.belay.protocol.agent.v1.Dispatch;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Prints how many /bin/true a second this machine runs; started by hand. */
final class Bench {
  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    int count = Integer.parseInt(args[1]);
    try (Scene scene = new Scene(java.nio.file.Files.createTempDirectory("bench"))) {
      for (int round = 0; round < 3; round++) {
        CountDownLatch done = new CountDownLatch(count);
        Semaphore slots = new Semaphore(32);
        long begin = System.nanoTime();
        try (var pool = Executors.newFixedThreadPool(threads)) {
          for (int i = 0; i < count; i++) {
            slots.acquire();
            pool.execute(
                () -> {
                  GatedProcess p = scene.prepare(scene.dispatch("/bin/true"));
                  p.onEnd(
                      e -> {
                        done.countDown();
                        slots.release();
                      });
                  p.open(Instant.now());
                });
          }
          done.await();
        }
        System.out.printf(
            "%d tasks/s%n", count * 1_000_000_000L / (System.nanoTime() - begin));
      }
    }
  }
}
