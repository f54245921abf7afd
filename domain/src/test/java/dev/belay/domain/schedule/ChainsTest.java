package dev.belay.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChainsTest {

  @Test
  void a_circle_is_found_in_the_order_of_its_starts() {
    // a starts b, b starts c, c starts a
    assertThat(
            Chains.circle(
                Map.of("b", Set.of("a"), "c", Set.of("b", "x"), "a", Set.of("c"), "d", Set.of())))
        .contains(List.of("a", "b", "c", "a"));
    assertThat(Chains.circle(Map.of("a", Set.of("a")))).contains(List.of("a", "a"));
  }

  @Test
  void a_circle_behind_others_is_found_without_them() {
    assertThat(Chains.circle(Map.of("a", Set.of("m"), "m", Set.of("z"), "z", Set.of("m"))))
        .contains(List.of("m", "z", "m"));
  }

  @Test
  void a_diamond_is_no_circle() {
    assertThat(Chains.circle(Map.of("d", Set.of("b", "c"), "b", Set.of("a"), "c", Set.of("a"))))
        .isEqualTo(Optional.empty());
  }

  @Test
  void a_long_chain_needs_no_stack_and_little_time() {
    Map<String, Set<String>> chain = new HashMap<>();
    for (int i = 1; i < 100_000; i++) {
      chain.put("w" + i, Set.of("w" + (i - 1)));
    }
    assertThat(Chains.circle(chain)).isEmpty();
    chain.put("w0", Set.of("w99999"));
    assertThat(Chains.circle(chain))
        .hasValueSatisfying(found -> assertThat(found).hasSize(100_001));
  }
}
