package dev.belay.agent.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Prints how many /bin/true this machine runs per second. Start it by hand: THREADS COUNT. */
final class StartRate {

  private StartRate() {}

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    int count = Integer.parseInt(args[1]);
    Path temp = Files.createTempDirectory("start-rate");
    try (Scene scene = new Scene(temp)) {
      for (int round = 0; round < 3; round++) {
        System.out.printf("%d tasks/s%n", rate(scene, threads, count));
      }
    }
  }

  private static long rate(Scene scene, int threads, int count) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(count);
    Semaphore slots = new Semaphore(32);
    long begin = System.nanoTime();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < count; i++) {
        slots.acquire();
        pool.execute(
            () -> {
              LatchedProcess process = scene.prepare(scene.dispatch("/bin/true"));
              var _ =
                  process
                      .ended()
                      .thenRun(
                          () -> {
                            done.countDown();
                            slots.release();
                          });
              process.open(Instant.now());
            });
      }
      done.await();
    }
    return count * 1_000_000_000L / (System.nanoTime() - begin);
  }
}
