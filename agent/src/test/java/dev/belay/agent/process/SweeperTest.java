package dev.belay.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SweeperTest {

  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());

  @AfterEach
  void close() {
    scheduler.shutdownNow();
  }

  @Test
  void sweep_that_gets_no_thread_is_tried_again() throws Exception {
    var refusals = new AtomicInteger();
    Sweeper sweeper =
        sweeper(
            sweep -> {
              if (refusals.incrementAndGet() <= 3) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              sweep.run();
            });
    sweeper.sweep(dispatch()).get(20, TimeUnit.SECONDS);
    assertThat(refusals).hasValue(4);
    sweeper.sweep(dispatch()).get(20, TimeUnit.SECONDS);
  }

  @Test
  void agent_that_ends_does_not_wait_for_a_sweep() throws Exception {
    Sweeper sweeper =
        sweeper(
            sweep -> {
              throw new RejectedExecutionException("closed");
            });
    sweeper.sweep(dispatch()).get(20, TimeUnit.SECONDS);
    scheduler.shutdownNow();
    sweeper.sweep(dispatch()).get(20, TimeUnit.SECONDS);
    sweeper.sweep(dispatch()).get(20, TimeUnit.SECONDS);
  }

  private Sweeper sweeper(Executor background) {
    return new Sweeper(
        new SessionId(UUID.randomUUID()),
        ProcessSettings.defaults(),
        scheduler,
        background,
        System::nanoTime);
  }

  private static DispatchId dispatch() {
    return new DispatchId(UUID.randomUUID());
  }
}
