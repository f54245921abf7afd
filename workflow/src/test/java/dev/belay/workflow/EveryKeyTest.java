package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The format was fixed early: each of its keys is built or reserved, and none is unknown. */
class EveryKeyTest {

  private static final Pattern RESERVED = Pattern.compile(".*'([a-z_]+)'.* is reserved, .*");

  @Test
  void every_key_of_the_format_is_supported_or_reserved() {
    List<String> problems = ParsedFiles.problems(ParsedFiles.resource("every-key.yaml"));
    List<String> reserved =
        problems.stream()
            .map(RESERVED::matcher)
            .filter(Matcher::matches)
            .map(m -> m.group(1))
            .toList();

    assertThat(reserved)
        .containsExactlyInAnyOrder(
            "cost_limit",
            "notify",
            "tasks",
            "for_each",
            "secret",
            "output",
            "outputs",
            "preemptible",
            "cost_limit",
            "max_active_time",
            "compensate",
            "on_output",
            "files");
    // The example names a task that it does not show, and has the keys of submits.
    assertThat(problems.stream().filter(p -> !p.contains("reserved")))
        .satisfiesExactlyInAnyOrder(
            unknown -> assertThat(unknown).contains("unknown task 'check'"),
            delay -> assertThat(delay).contains("'delay' is only for submitted tasks"),
            runAt -> assertThat(runAt).contains("'run_at' is only for submitted tasks"),
            unique -> assertThat(unique).contains("'unique' is only for submitted tasks"));
  }

  @Test
  void each_action_that_is_not_built_is_reserved() {
    for (String action : List.of("http", "java", "container", "workflow")) {
      assertThat(ParsedFiles.problems("task: {%s: {}}".formatted(action)))
          .containsExactly(
              "w.yaml:1:8: '%s' is reserved, not supported yet; remove it".formatted(action));
    }
  }

  @Test
  void unknown_meaning_of_an_exit_code_is_refused() {
    assertThat(
            ParsedFiles.problems("task: {command: [x], exit_codes: {75: unavailable, 76: gone}}"))
        .containsExactly(
            "w.yaml:1:56: '76' must be one of skipped, fatal, unavailable, not 'gone'");
  }

  @Test
  void reserved_task_keys_are_reserved_in_defaults_too() {
    assertThat(ParsedFiles.problems("defaults: {preemptible: a}\ntask: {command: [x]}"))
        .containsExactly("w.yaml:1:12: 'preemptible' is reserved, not supported yet; remove it");
  }
}
