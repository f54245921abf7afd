package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherToolsTest {

  private static final Map<String, String> FILES =
      Map.of(
          "a workflow", "name: w\n%s: 1\ntask: {command: [a]}\n",
          "a task", "name: w\ntask: {command: [a], %s: 1}\n",
          "'defaults'", "name: w\ndefaults: {%s: 1}\ntask: {command: [a]}\n",
          "'run'", "name: w\nrun: {%s: 1}\ntask: {command: [a]}\n",
          "a trigger", "name: w\ntriggers: [{%s: 1}]\ntask: {command: [a]}\n",
          "'retry'", "name: w\ntask: {command: [a], retry: {%s: 1}}\n",
          "'backoff'", "name: w\ntask: {command: [a], retry: {backoff: {%s: 1}}}\n",
          "a parameter", "name: w\nparams: {p: {type: int, %s: 1}}\ntask: {command: [a]}\n");

  @Test
  void every_word_of_another_tool_is_answered_with_what_to_write_here() {
    for (var foreign : OtherTools.KEYS) {
      for (String place : foreign.places()) {
        for (String word : foreign.words()) {
          assertThat(problems(FILES.getOrDefault(place, "").formatted("\"" + word + "\"")))
              .as(place + " " + word)
              .contains("unknown key '%s' in %s; %s".formatted(word, place, foreign.write()));
        }
      }
    }
  }

  @Test
  void no_word_is_a_key_here_or_stands_twice_at_one_place() {
    var seen = new HashSet<String>();
    for (var foreign : OtherTools.KEYS) {
      foreign
          .places()
          .forEach(
              place ->
                  foreign
                      .words()
                      .forEach(word -> assertThat(seen.add(place + " " + word)).as(word).isTrue()));
    }
  }

  @ParameterizedTest
  @CsvSource({"integer, int", "double, float", "str, string", "boolean, bool", "choice, enum"})
  void types_of_other_tools_are_named_as_they_are_here(String theirs, String ours) {
    assertThat(
            problems("name: w\nparams: {p: {type: %s}}\ntask: {command: [a]}\n".formatted(theirs)))
        .contains("not '%s'; did you mean '%s'?".formatted(theirs, ours));
  }

  @Test
  void a_file_in_the_manner_of_another_tool_is_answered_key_by_key_and_nothing_else_is_missed() {
    var problems =
        list(
            """
            dag_id: etl
            schedule: "@daily"
            jobs:
              - {task_id: a, bash: echo}
            """);
    assertThat(problems).hasSize(3).allMatch(problem -> problem.contains("unknown key"));
  }

  private static String problems(String text) {
    return list(text).stream().collect(Collectors.joining("\n"));
  }

  private static List<String> list(String text) {
    return switch (WorkflowFile.parse("w.yaml", text)) {
      case Parsed.Valid valid -> List.of();
      case Parsed.Invalid invalid -> invalid.problems().stream().map(Problem::toString).toList();
    };
  }
}
