package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.settle.RetryCondition.Failure;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Expressions.TooCostly;
import dev.belay.domain.spec.Template;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryIfTest {

  private static final Failure FAILURE = new Failure(3, "exit_code: 3", 2, Category.ERROR);

  private final CelRetryCondition condition = new CelRetryCondition(() -> 0);

  @ParameterizedTest
  @CsvSource({
    "exit_code == 3, true",
    "exit_code in [1 2 3], true",
    "attempt < 2, false",
    "category == 'lost', false",
    "category == 'error' && reason.startsWith('exit'), true",
    "'reason.matches(\"^exit_code: [0-9]+$\")', true",
  })
  void a_condition_sees_the_failure(String source, boolean holds) throws ExpressionFailed {
    var written = source.replace("[1 2 3]", "[1, 2, 3]");
    assertThat(condition.holds(new Template("${{ " + written + " }}"), FAILURE)).isEqualTo(holds);
  }

  @Test
  void a_condition_without_a_value_says_why() {
    assertThatThrownBy(() -> holds("1 / (attempt - 2) > 0"))
        .isInstanceOf(ExpressionFailed.class)
        .hasMessageContaining("has no value");
    assertThatThrownBy(() -> holds("params.x"))
        .as("what an older or newer version stored")
        .isInstanceOf(ExpressionFailed.class);
    assertThatThrownBy(() -> holds("attempt")).hasMessage("it is neither true nor false: '2'");
  }

  @Test
  void a_condition_has_a_small_budget() {
    String ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    String many =
        ten
            + ".all(a, "
            + ten
            + ".all(b, "
            + ten
            + ".all(c, "
            + ten
            + ".all(d, a + b + c + d > 0))))";
    assertThatThrownBy(() -> holds(many))
        .isInstanceOf(TooCostly.class)
        .hasMessageContaining("took more than " + CelRetryCondition.STEPS_MAX + " steps");
  }

  @Test
  void a_condition_is_checked_with_the_file() {
    assertThat(
            ParsedFiles.validTask(file("${{ exit_code != 3 && attempt < 3 }}"))
                .policy()
                .retry()
                .onlyIf())
        .isEqualTo(new Template("${{ exit_code != 3 && attempt < 3 }}"));
    assertThat(ParsedFiles.problems(file("${{ exit_code }}")))
        .singleElement()
        .asString()
        .endsWith("'if' must be true or false, but the expression gives int");
    assertThat(ParsedFiles.problems(file("exit_code != 3")))
        .singleElement()
        .asString()
        .contains("'if' must be one expression such as \"${{ exit_code != 3 }}\"");
    assertThat(ParsedFiles.problems(file("${{ params.a }}")))
        .singleElement()
        .asString()
        .endsWith("unknown name 'params'; known: exit_code, reason, attempt, category");
    assertThat(ParsedFiles.problems(file("${{ exit_cod == 3 }}")))
        .singleElement()
        .asString()
        .contains("unknown name 'exit_cod'")
        .contains("exit_code");
    assertThat(ParsedFiles.problems(file("${{ reason > 3 }}")))
        .singleElement()
        .asString()
        .contains("cannot take (string, int)");
    assertThat(ParsedFiles.problems(file("${{ " + "x".repeat(500) + " }}")))
        .singleElement()
        .asString()
        .contains("500");
  }

  @Test
  void defaults_may_hold_the_condition_and_a_task_overrides_it() {
    var spec =
        ParsedFiles.validTask(
            "name: w\ndefaults: {retry: {max: 2, if: \"${{ attempt < 9 }}\"}}\n"
                + "tasks: [{name: a, command: [x], retry: {max: 3}}]");
    assertThat(spec.policy().retry().max()).isEqualTo(3);
    assertThat(spec.policy().retry().onlyIf()).isEqualTo(new Template("${{ attempt < 9 }}"));
  }

  private boolean holds(String source) throws ExpressionFailed {
    return condition.holds(new Template("${{ " + source + " }}"), FAILURE);
  }

  private static String file(String condition) {
    return "task: {command: [x], retry: {max: 1, if: '%s'}}".formatted(condition);
  }
}
