package dev.belay.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.engine.loop.Background.Ticket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WorkPoolTest {
  private final AtomicLong clock = new AtomicLong();
  private final CountDownLatch end = new CountDownLatch(1);
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private final WorkPool pool =
      new WorkPool(
          "test", new WorkPool.Size(1, 2, 1), Thread.ofPlatform().daemon().factory(), clock::get);

  @AfterEach
  void letGo() {
    end.countDown();
    pool.close();
  }

  @Test
  void work_is_done_one_after_another_and_what_has_no_room_is_refused() throws Exception {
    assertThat(pool.offer(this::deaf)).isPresent();
    assertThat(next()).isEqualTo("begun");
    assertThat(pool.offer(() -> said.add("second"))).isPresent();
    assertThat(pool.offer(() -> said.add("third"))).isPresent();
    assertThat(pool.offer(() -> said.add("fourth"))).isEmpty();
    assertThat(pool.gauge().refusals()).isEqualTo(1);
    assertThat(pool.gauge().waiting()).isEqualTo(2);
    end.countDown();
    assertThat(next()).isEqualTo("ended");
    assertThat(next()).isEqualTo("second");
    assertThat(next()).isEqualTo("third");
  }

  @Test
  void work_that_fails_leaves_its_thread_to_the_next() throws Exception {
    pool.offer(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    pool.offer(() -> said.add("next"));
    assertThat(next()).isEqualTo("next");
  }

  @Test
  void a_thread_that_does_not_come_back_is_replaced() throws Exception {
    Ticket ticket = pool.offer(this::deaf).orElseThrow();
    assertThat(next()).isEqualTo("begun");
    clock.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(ticket.ran()).isEqualTo(Duration.ofSeconds(5));
    pool.offer(() -> said.add("waited"));
    ticket.abandon();
    assertThat(next()).isEqualTo("waited");
    assertThat(pool.gauge().stray()).isEqualTo(1);
    end.countDown();
    assertThat(next()).isEqualTo("ended");
    pool.offer(() -> said.add("after"));
    assertThat(next()).isEqualTo("after");
    awaitStray(0);
  }

  @Test
  void so_many_threads_are_left_behind_and_no_more() throws Exception {
    for (int i = 0; i < 2; i++) {
      Ticket ticket = pool.offer(this::deaf).orElseThrow();
      assertThat(next()).isEqualTo("begun");
      ticket.abandon();
    }
    assertThat(pool.gauge().stray()).isEqualTo(2);
    assertThat(pool.offer(() -> said.add("never"))).isEmpty();
    end.countDown();
    assertThat(next()).isEqualTo("ended");
    assertThat(next()).isEqualTo("ended");
    awaitStray(0);
    assertThat(pool.offer(() -> said.add("again"))).isPresent();
    assertThat(next()).isEqualTo("again");
  }

  @Test
  void work_that_is_not_begun_can_be_taken_back() throws Exception {
    assertThat(pool.offer(this::deaf)).isPresent();
    assertThat(next()).isEqualTo("begun");
    Ticket waits = pool.offer(() -> said.add("never")).orElseThrow();
    pool.offer(() -> said.add("next"));
    waits.abandon();
    end.countDown();
    assertThat(next()).isEqualTo("ended");
    assertThat(next()).isEqualTo("next");
    assertThat(pool.gauge().stray()).isZero();
  }

  private void awaitStray(int wanted) {
    while (pool.gauge().stray() != wanted) {
      Thread.onSpinWait();
    }
  }

  private String next() throws InterruptedException {
    return String.valueOf(said.poll(10, TimeUnit.SECONDS));
  }

  /** Ignores interrupts. */
  private void deaf() {
    said.add("begun");
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException unheard) {
        // on purpose
      }
    }
    said.add("ended");
  }
}
