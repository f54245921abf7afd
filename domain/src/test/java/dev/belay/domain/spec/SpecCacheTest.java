package dev.belay.domain.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpecCacheTest {

  private final SpecCache<String, Integer> cache = new SpecCache<>(3, 100);

  @Test
  void what_was_not_used_for_longest_goes_first() {
    cache.put("a", 1, 10);
    cache.put("b", 2, 10);
    cache.put("c", 3, 10);
    assertThat(cache.get("a")).isEqualTo(1);
    cache.put("d", 4, 10);
    assertThat(cache.get("b")).isNull();
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.size()).isEqualTo(3);
  }

  @Test
  void a_large_one_takes_the_place_of_several_and_a_huge_one_is_not_kept() {
    cache.put("a", 1, 30);
    cache.put("b", 2, 30);
    cache.put("large", 3, 90);
    assertThat(cache.size()).isEqualTo(1);
    assertThat(cache.get("large")).isEqualTo(3);
    cache.put("huge", 4, 101);
    assertThat(cache.get("huge")).isNull();
    assertThat(cache.get("large")).isEqualTo(3);
  }

  @Test
  void the_same_one_again_counts_once() {
    for (int i = 0; i < 10; i++) {
      cache.put("a", i, 60);
    }
    cache.put("b", 2, 40);
    assertThat(cache.size()).isEqualTo(2);
  }
}
