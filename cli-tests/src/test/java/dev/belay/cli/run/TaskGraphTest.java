package dev.belay.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskGraphTest {

  @Test
  void a_task_stands_below_the_last_of_what_it_depends_on() {
    var graph = TaskGraph.of(diamond());

    assertThat(graph.rows().stream().map(row -> row.branch() + row.name() + row.others()))
        .containsExactly("start[]", "├─ left[]", "└─ right[]", "   └─ join[left]", "alone[]");
  }

  @Test
  void the_critical_path_is_the_longest_sum_not_the_longest_chain() {
    var times =
        Map.of(
            "start", Duration.ofMillis(10),
            "left", Duration.ofMillis(500),
            "right", Duration.ofMillis(20),
            "join", Duration.ofMillis(5),
            "alone", Duration.ofMillis(100));

    assertThat(
            TaskGraph.of(diamond()).criticalPath(name -> times.getOrDefault(name, Duration.ZERO)))
        .isEqualTo(Duration.ofMillis(515));
  }

  @Test
  void a_chain_of_ten_thousand_is_laid_out_without_running_off_the_screen() {
    var chain = new LinkedHashMap<String, List<String>>();
    for (int i = 0; i < 10_000; i++) {
      chain.put("t" + i, i == 0 ? List.of() : List.of("t" + (i - 1)));
    }

    var graph = TaskGraph.of(chain);

    assertThat(graph.rows()).hasSize(10_000);
    assertThat(graph.rows().getLast().branch().length()).isLessThan(40);
    assertThat(graph.criticalPath(name -> Duration.ofMillis(1))).isEqualTo(Duration.ofSeconds(10));
  }

  private static Map<String, List<String>> diamond() {
    var given = new LinkedHashMap<String, List<String>>();
    given.put("join", List.of("left", "right"));
    given.put("start", List.of());
    given.put("left", List.of("start"));
    given.put("right", List.of("start"));
    given.put("alone", List.of());
    return given;
  }
}
