package dev.belay.buildtools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the project against the {@link HouseRule}s, and each rule against a violating example. */
class TidyTest {
  private static final Map<String, String> TREE = SourceTree.read(SourceTree.root());

  static List<HouseRule> rules() {
    return Stream.of(HouseRule.all(), ProofRules.all()).flatMap(List::stream).toList();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void tree_keeps(HouseRule rule) {
    assertThat(rule.violations(TREE)).as(rule.name()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void example_breaks(HouseRule rule) {
    assertThat(rule.violations(rule.example())).as(rule.name()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE run SET state = 'ENDED' WHERE id = :id AND (state = 'RUNNING');",
        "WITH a AS (SELECT id FROM task WHERE state = 'X' FOR UPDATE) "
            + "UPDATE belay.task t SET (x) = (1) FROM a WHERE t.id = a.id AND t.state = 'X'",
        "UPDATE task_mark SET seen = true",
        "INSERT INTO task (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1"
      })
  void update_that_names_its_state_is_guarded(String sql) {
    assertThat(GuardedUpdates.unguarded(sql)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE task SET state = 'LOST'",
        "UPDATE task SET state = 'LOST' WHERE id = 1 -- state",
        "UPDATE task t SET n = 1 FROM (SELECT id FROM task WHERE state = 'X') a WHERE t.id = a.id",
        "WITH u AS (UPDATE run SET n = 1 WHERE id = 1) SELECT 1 FROM task WHERE state = 'X'"
      })
  void update_that_names_no_state_of_its_row_is_not(String sql) {
    assertThat(GuardedUpdates.unguarded(sql)).hasSize(1);
  }

  @Test
  void suppressions_are_counted() {
    Pattern suppression = Pattern.compile("(?m)^\\s*@SuppressWarnings\\(|\\bcastToNonNull\\(");
    long count =
        TREE.entrySet().stream()
            .filter(file -> file.getKey().endsWith(".java"))
            .mapToLong(file -> suppression.matcher(file.getValue()).results().count())
            .sum();
    System.out.println("suppressions: " + count);
    assertThat(count).as("more suppressions than we allow ourselves").isLessThan(30);
  }
}
