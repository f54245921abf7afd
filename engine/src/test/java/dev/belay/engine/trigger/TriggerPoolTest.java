package dev.belay.engine.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.engine.loop.Background;
import dev.belay.engine.port.Epoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TriggerPoolTest {

  private static final Epoch NOW = new Epoch(1);

  private final List<Runnable> waiting = new ArrayList<>();
  private Duration ran = Duration.ZERO;
  private int abandoned;
  private int told;

  private final TriggerPool<String, String, String> pool =
      new TriggerPool<>(this::take, Duration.ofSeconds(10), () -> told++);

  private Optional<Background.Ticket> take(Runnable work) {
    waiting.add(work);
    return Optional.of(
        new Background.Ticket() {
          @Override
          public Duration ran() {
            return ran;
          }

          @Override
          public void abandon() {
            abandoned++;
          }
        });
  }

  @Test
  void trigger_is_busy_until_its_work_is_collected() {
    assertThat(pool.offer(NOW, "t", "rows", () -> "result")).isTrue();
    assertThat(pool.busy()).containsExactly("t");
    assertThat(pool.collect(NOW)).isEmpty();
    waiting.forEach(Runnable::run);
    assertThat(told).isEqualTo(1);
    assertThat(pool.collect(NOW)).containsExactly(new TriggerPool.Done<>("rows", "result", null));
    assertThat(pool.busy()).isEmpty();
  }

  @Test
  void work_that_throws_is_done_with_its_failure() {
    var failure = new IllegalStateException("no");
    pool.offer(
        NOW,
        "t",
        "rows",
        () -> {
          throw failure;
        });
    waiting.forEach(Runnable::run);
    assertThat(pool.collect(NOW)).containsExactly(new TriggerPool.Done<>("rows", null, failure));
  }

  @Test
  void work_that_does_not_return_is_given_up() {
    pool.offer(NOW, "t", "rows", () -> "late");
    ran = Duration.ofSeconds(11);
    var done = pool.collect(NOW);
    assertThat(done).hasSize(1);
    assertThat(done.getFirst().failure()).hasMessage("it took more than 10s");
    assertThat(abandoned).isEqualTo(1);
    assertThat(pool.busy()).isEmpty();
    waiting.forEach(Runnable::run);
    assertThat(pool.collect(NOW)).isEmpty();
  }

  @Test
  void what_an_earlier_leadership_asked_for_is_dropped() {
    pool.offer(NOW, "t", "rows", () -> "result");
    waiting.forEach(Runnable::run);
    assertThat(pool.collect(new Epoch(2))).isEmpty();
    assertThat(pool.busy()).isEmpty();
  }

  @Test
  void full_pool_takes_nothing() {
    var full = new TriggerPool<String, String, String>(_ -> Optional.empty(), ran, () -> {});
    assertThat(full.offer(NOW, "t", "rows", () -> "")).isFalse();
    assertThat(full.busy()).isEmpty();
  }
}
