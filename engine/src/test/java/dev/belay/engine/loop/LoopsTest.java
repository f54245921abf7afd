package dev.belay.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopsTest {

  private static final Duration STEP_MAX = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger stillborn = new AtomicInteger();
  private final LinkedBlockingQueue<String> steps = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Thread> made = new LinkedBlockingQueue<>();
  private final ThreadFactory threads =
      body -> {
        boolean dies = stillborn.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        Thread thread = Thread.ofPlatform().daemon().unstarted(dies ? () -> {} : body);
        made.add(thread);
        return thread;
      };
  private final Loops loops = new Loops(threads, nanos::get, STEP_MAX);

  @AfterEach
  void close() {
    loops.close();
  }

  @Test
  void whatever_a_step_throws_the_next_one_comes() throws Exception {
    var signal = new Signal();
    var thrown = new AtomicInteger();
    var loop =
        loops.make(
            "one",
            () -> {
              steps.add("step");
              signal.raise();
              switch (thrown.getAndIncrement()) {
                case 0 -> throw new IllegalStateException("poison");
                case 1 -> throw new OutOfMemoryError("poison");
                case 2 -> throw new StackOverflowError("poison");
                case 3 -> Thread.currentThread().interrupt();
                default -> {}
              }
              return LONG;
            },
            signal);
    loop.start();
    for (int i = 0; i < 6; i++) {
      assertThat(steps.poll(10, TimeUnit.SECONDS)).isEqualTo("step");
    }
    assertThat(loop.status().alive()).isTrue();
    assertThat(loop.status().restarts()).isZero();
  }

  @Test
  void dead_thread_is_seen_and_replaced() throws Exception {
    stillborn.set(1);
    var loop = loops.make("one", this::step, new Signal());
    loop.start();
    awaitEnd(made.take());
    assertThat(loop.status().isWell()).isFalse();
    assertThat(steps).isEmpty();

    loops.watchOnce();
    assertThat(steps.poll(10, TimeUnit.SECONDS)).isEqualTo("step");
    assertThat(loop.status().isWell()).isTrue();
    assertThat(loops.restarts()).isEqualTo(1);

    loops.watchOnce();
    assertThat(loops.restarts()).as("the living are left alone").isEqualTo(1);
  }

  @Test
  void step_that_does_not_end_is_told_of_but_gets_no_second_thread() throws Exception {
    var hang = new CountDownLatch(1);
    var entered = new CountDownLatch(1);
    var loop =
        loops.make(
            "one",
            () -> {
              entered.countDown();
              await(hang);
              return LONG;
            },
            new Signal());
    loop.start();
    entered.await();
    nanos.addAndGet(STEP_MAX.toNanos());
    assertThat(loop.status().isWell()).isTrue();
    nanos.incrementAndGet();
    assertThat(loop.status().stuck()).isTrue();
    loops.watchOnce();
    loops.watchOnce();
    assertThat(made).hasSize(1);
    assertThat(loops.restarts()).isZero();
    hang.countDown();
    assertThat(loop.close(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void closed_loop_is_not_revived_and_a_sleeping_one_ends_at_once() throws Exception {
    var loop = loops.make("one", this::step, new Signal());
    loop.start();
    assertThat(steps.poll(10, TimeUnit.SECONDS)).isEqualTo("step");
    assertThat(loop.close(Duration.ofSeconds(10))).isTrue();
    loops.watchOnce();
    assertThat(made).hasSize(1);
    assertThat(loop.status().alive()).isFalse();
  }

  private Duration step() {
    steps.add("step");
    return LONG;
  }

  private static void awaitEnd(Thread thread) throws InterruptedException {
    assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
