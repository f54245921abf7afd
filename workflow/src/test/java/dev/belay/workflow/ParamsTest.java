package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.WorkflowSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParamsTest {

  private static final Map<String, Object> RUN =
      Map.of("id", "r1", "logical_date", "2026-01-31T02:00:00Z", "created_at", "2026-02-01");

  private static final WorkflowSpec TYPED =
      ParsedFiles.valid(
          """
          params:
            s: {type: string, default: ""}
            i: {type: int, default: 1}
            f: {type: float, default: 1}
            b: {type: bool, default: false}
            d: {type: date, default: 2026-01-01}
            t: {type: datetime, default: 2026-01-01T00:00:00Z}
            e: {type: enum, values: [a, b, "3"], default: a}
            j: {type: json, default: [1]}
          task: {command: [x]}
          """);

  private static Params.Resolution resolve(WorkflowSpec spec, Map<String, ?> given) {
    return Params.resolve(spec, given, RUN, new CelExpressions());
  }

  private static @Nullable Object typed(String name, Object given) {
    return switch (resolve(TYPED, Map.of(name, given))) {
      case Params.Resolved resolved -> resolved.values().get(name);
      case Params.Refused refused -> refused.messages();
    };
  }

  @Test
  void text_of_a_command_line_becomes_the_declared_type() {
    assertThat(typed("s", "x")).isEqualTo("x");
    assertThat(typed("i", "-5")).isEqualTo(-5L);
    assertThat(typed("f", "0.5")).isEqualTo(0.5);
    assertThat(typed("b", "true")).isEqualTo(true);
    assertThat(typed("d", "2026-02-28")).isEqualTo("2026-02-28");
    assertThat(typed("t", "2026-02-28T01:02:03+01:00")).isEqualTo("2026-02-28T01:02:03+01:00");
    assertThat(typed("e", "b")).isEqualTo("b");
    assertThat(typed("j", "{\"a\": [1, 2.5]}")).isEqualTo(Map.of("a", List.of(1L, 2.5)));
    assertThat(typed("j", "hello")).isEqualTo("hello");
  }

  @Test
  void json_values_become_the_declared_type() {
    assertThat(typed("i", 5)).isEqualTo(5L);
    assertThat(typed("i", new BigInteger("7"))).isEqualTo(7L);
    assertThat(typed("f", 5)).isEqualTo(5.0);
    assertThat(typed("b", true)).isEqualTo(true);
    assertThat(typed("e", 3)).isEqualTo("3");
    assertThat(typed("j", Map.of("a", 1, "b", List.of(new BigDecimal("2.5"), 3f, true))))
        .isEqualTo(Map.of("a", 1L, "b", List.of(2.5, 3.0, true)));
    assertThat(typed("j", Arrays.asList("x", null))).isEqualTo(Arrays.asList("x", null));
  }

  @Test
  void value_of_another_type_is_refused_with_what_would_be_right() {
    assertThat(typed("s", 5))
        .isEqualTo(
            List.of(
                "parameter 's' must be text (in quotes, if it looks like a number or true/false),"
                    + " not '5'"));
    assertThat(typed("i", "5.5"))
        .isEqualTo(List.of("parameter 'i' must be a whole number, not '5.5'"));
    assertThat(typed("i", 5.5))
        .isEqualTo(List.of("parameter 'i' must be a whole number, not '5.5'"));
    assertThat(typed("i", "9223372036854775808")).asString().contains("must be a whole number");
    assertThat(typed("f", "NaN")).isEqualTo(List.of("parameter 'f' must be a number, not 'NaN'"));
    assertThat(typed("f", Double.POSITIVE_INFINITY)).asString().contains("must be a number");
    assertThat(typed("b", "yes"))
        .isEqualTo(List.of("parameter 'b' must be true or false, not 'yes'"));
    assertThat(typed("d", "2026-02-30"))
        .isEqualTo(List.of("parameter 'd' must be a date such as 2026-01-31, not '2026-02-30'"));
    assertThat(typed("d", "2026-02-28T00:00:00Z")).asString().contains("must be a date");
    assertThat(typed("t", "2026-02-28")).asString().contains("must be a time such as");
    assertThat(typed("e", "c")).isEqualTo(List.of("parameter 'e' must be one of a, b, 3, not 'c'"));
    assertThat(typed("j", List.of(new Object()))).asString().contains("must be JSON");
    assertThat(typed("j", Double.NaN)).asString().contains("must be JSON");
    assertThat(typed("j", "null")).asString().contains("must be JSON");
    assertThat(typed("j", "[".repeat(60) + "]".repeat(60))).asString().contains("must be JSON");
    assertThat(typed("j", "{\"a\":")).asString().contains("must be JSON");
    assertThat(typed("s", "x".repeat(Params.VALUE_CHARS_MAX + 1)))
        .isEqualTo(List.of("parameter 's' is longer than 100000 characters"));
  }

  @Test
  void unknown_and_missing_parameters_are_all_named() {
    WorkflowSpec spec =
        ParsedFiles.valid("params: {day: {type: date}, mode: {type: int}}\ntask: {command: [x]}");
    Map<String, Object> given = new LinkedHashMap<>();
    given.put("dya", "2026-01-01");
    given.put("other", 1);
    assertThat(resolve(spec, given))
        .isEqualTo(
            new Params.Refused(
                List.of(
                    "unknown parameter 'dya'; did you mean 'day'?",
                    "unknown parameter 'other'; known: day, mode",
                    "parameter 'day' is missing; it must be a date such as 2026-01-31",
                    "parameter 'mode' is missing; it must be a whole number")));
    assertThat(resolve(ParsedFiles.valid("task: {command: [x]}"), Map.of("a", 1)))
        .isEqualTo(
            new Params.Refused(List.of("unknown parameter 'a'; the workflow has no parameters")));
  }

  @Test
  void defaults_fill_in_and_may_be_expressions_over_the_run() {
    WorkflowSpec spec =
        ParsedFiles.valid(
            """
            params:
              day: {type: date, default: "${{ run.logical_date }}"}
              from: {type: datetime, default: "${{ run.created_at }}"}
              title: {type: string, default: "run ${{ run.id }}"}
              n: {type: int, default: "${{ size(run.id) }}"}
              j: {type: json, default: "${{ [run.id] }}"}
              plain: {type: float, default: 3}
            task: {command: [x]}
            """);
    assertThat(resolve(spec, Map.of("n", 9)))
        .isEqualTo(
            new Params.Resolved(
                Map.of(
                    "day",
                    "2026-01-31",
                    "from",
                    "2026-02-01T00:00:00Z",
                    "title",
                    "run r1",
                    "n",
                    9L,
                    "j",
                    List.of("r1"),
                    "plain",
                    3.0)));
  }

  @Test
  void default_that_has_no_value_in_this_run_is_refused() {
    WorkflowSpec spec =
        ParsedFiles.valid(
            """
            params:
              day: {type: date, default: "${{ run.id }}"}
              w: {type: string, default: "${{ run.workflow }}"}
            task: {command: [x]}
            """);
    assertThat(resolve(spec, Map.of()))
        .isEqualTo(
            new Params.Refused(
                List.of(
                    "the default of parameter 'day' must be a date such as 2026-01-31, not 'r1'",
                    "the default of parameter 'w': ${{ run.workflow }} has no value: key 'workflow'"
                        + " is not present in map.")));
  }
}
