package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BadFilesTest {

  record Bad(String kind, String text, List<String> problems) {
    @Override
    public String toString() {
      return kind;
    }
  }

  static Stream<Bad> badFiles() {
    List<Bad> files = new ArrayList<>();
    String[] sections = ParsedFiles.resource("bad-files.txt").split("(?m)^=== ");
    for (int i = 1; i < sections.length; i++) {
      String section = sections[i];
      int text = section.indexOf('\n') + 1;
      int expected = section.lastIndexOf("---\n");
      files.add(
          new Bad(
              section.substring(0, text - 1),
              section.substring(text, expected),
              section
                  .substring(expected + 4)
                  .lines()
                  .map(l -> ParsedFiles.FILE + ":" + l)
                  .toList()));
    }
    return files.stream();
  }

  @ParameterizedTest
  @MethodSource("badFiles")
  void every_problem_is_reported_at_its_place(Bad bad) {
    assertThat(ParsedFiles.problems(bad.text())).isEqualTo(bad.problems());
  }

  @Test
  void the_table_covers_many_kinds() {
    assertThat(badFiles()).hasSizeGreaterThan(60);
  }

  @Test
  void control_character_is_refused_where_it_stands() {
    assertThat(ParsedFiles.problems("version: 1\nname: w\0\n"))
        .containsExactly("w.yaml:2:8: not YAML: the character U+0000 is not allowed in a file");
  }

  @Test
  void columns_count_characters_not_bytes() {
    assertThat(ParsedFiles.problems("task: {command: [\"😀é\", '${{ nope }}']}"))
        .containsExactly("w.yaml:1:29: bad expression: unknown name 'nope'; known: params, run");
  }

  @Test
  void problem_behind_an_anchor_is_reported_once() {
    assertThat(
            ParsedFiles.problems(
                """
                name: w
                x-t: &t {command: [x], priority: 0}
                tasks:
                  - {<<: *t, name: a}
                  - {<<: *t, name: b}
                """))
        .containsExactly("w.yaml:2:34: 'priority' must be a whole number from 1 to 100, not 0");
  }

  @Test
  void at_most_a_hundred_problems_are_reported_and_they_are_the_first() {
    StringBuilder text = new StringBuilder("name: w\ntasks:\n");
    for (int i = 0; i < 500; i++) {
      text.append("  - {name: t").append(i).append(", command: [x], priority: 0}\n");
    }
    List<String> problems = ParsedFiles.problems(text.toString());
    assertThat(problems).hasSize(Problems.REPORTED_MAX);
    assertThat(problems.getLast()).startsWith("w.yaml:102:");
  }

  @Test
  void long_cycle_is_shown_in_part() {
    StringBuilder text = new StringBuilder("name: w\ntasks:\n");
    for (int i = 0; i < 1000; i++) {
      text.append(
          "  - {name: t%d, command: [x], depends_on: [t%d]}\n".formatted(i, (i + 1) % 1000));
    }
    assertThat(ParsedFiles.problems(text.toString()))
        .singleElement()
        .asString()
        .contains("t0 -> t1 -> ", "t19 -> ... (980 more) -> t0");
  }

  @Test
  void two_cycles_are_both_reported() {
    assertThat(
            ParsedFiles.problems(
                """
                name: w
                tasks:
                  - {name: a, command: [x], depends_on: [b]}
                  - {name: b, command: [x], depends_on: [a]}
                  - {name: c, command: [x], depends_on: [d, a]}
                  - {name: d, command: [x], depends_on: [c]}
                """))
        .containsExactly(
            "w.yaml:4:42: tasks depend on each other in a cycle: a -> b -> a;"
                + " remove one of these dependencies",
            "w.yaml:6:42: tasks depend on each other in a cycle: c -> d -> c;"
                + " remove one of these dependencies");
  }
}
