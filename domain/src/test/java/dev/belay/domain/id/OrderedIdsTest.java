package dev.belay.domain.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class OrderedIdsTest {

  @Test
  void ids_rise_also_within_a_millisecond_and_when_the_clock_steps_back() {
    long[] now = {Instant.parse("2026-11-16T00:00:00Z").toEpochMilli()};
    InstantSource clock = () -> Instant.ofEpochMilli(now[0]);
    var ids = new OrderedIds(clock, RandomGenerator.of("L64X128MixRandom"));
    UUID last = ids.next();
    for (int i = 0; i < 20_000; i++) {
      if (i == 10_000) {
        now[0] -= 5_000;
      }
      UUID next = ids.next();
      assertThat(next.toString()).isGreaterThan(last.toString());
      assertThat(next.version()).isEqualTo(7);
      assertThat(next.variant()).isEqualTo(2);
      last = next;
    }
  }
}
