package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.belay.domain.spec.Expressions.Evaluation;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Expressions.Scope;
import dev.belay.domain.spec.Expressions.TooCostly;
import dev.belay.domain.spec.Template;
import dev.belay.workflow.ExpressionLimits.Bound;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Any expression ends after a bounded amount of work. */
@Timeout(30)
class ExpressionCostTest {

  private static final List<Long> TEN = LongStream.range(0, 10).boxed().toList();

  /** Three nested loops around a regular expression over a long text. */
  static final String ATTACK =
      "${{ [0,1,2,3,4,5,6,7,8,9].exists(a, [0,1,2,3,4,5,6,7,8,9].exists(b, "
          + "[0,1,2,3,4,5,6,7,8,9].exists(c, "
          + "params.text.matches('(x+x+)+y' + string(a) + string(b) + string(c))))) }}";

  private static final Map<String, Object> PARAMS =
      Map.of(
          "text", "x".repeat(30_000),
          "half", "x".repeat(15_000) + "y",
          "ten", TEN,
          "numbers", LongStream.range(0, 5_000).boxed().toList(),
          "copies", Collections.nCopies(20, LongStream.range(0, 5_000).boxed().toList()));

  /** A tenth of the usual steps, for fast tests. */
  private static final ExpressionLimits LIMITS =
      new ExpressionLimits(
          new Bound(1_000_000, Duration.ofSeconds(2)),
          new Bound(10_000_000, Duration.ofSeconds(10)),
          20_000_000);

  private final CelExpressions expressions = new CelExpressions(LIMITS, () -> 0);

  private Object evaluate(String template) throws ExpressionFailed {
    return expressions.over(new Scope(PARAMS, Map.of())).evaluate(new Template(template));
  }

  @Test
  void loops_around_a_regular_expression_end() {
    assertTooCostly(ATTACK, "took more than 1000000 steps");
  }

  @Test
  void a_failure_that_or_and_exists_would_swallow_ends_the_evaluation() {
    assertTooCostly("${{ " + ATTACK.substring(3, ATTACK.length() - 2) + " || true }}", "steps");
    assertTooCostly("${{ params.ten.exists(a, params.text.matches('(x?){200}y')) }}", "steps");
  }

  @Test
  void functions_are_charged_for_what_they_will_do() {
    assertTooCostly("${{ params.text.contains(params.half) }}", "steps");
    assertTooCostly("${{ params.copies.all(a, a in params.copies) }}", "steps");
    assertTooCostly("${{ params.ten.all(a, params.copies == params.copies.map(b, b)) }}", "steps");
    assertTooCostly(
        "${{ params.numbers.map(a, bytes(params.text) + bytes(params.text)).size() > 0 }}",
        "steps");
  }

  @Test
  void duration_of_a_long_text_is_refused_before_it_is_read() throws Exception {
    assertThatThrownBy(() -> evaluate("${{ duration(params.text) }}"))
        .isInstanceOf(ExpressionFailed.class)
        .hasMessageContaining("at most 200 characters");
    assertThat(evaluate("${{ string(duration('1h30m') + duration(duration('30m'))) }}"))
        .isEqualTo("7200s");
    assertThatThrownBy(() -> evaluate("${{ duration('soon') }}"))
        .isInstanceOf(ExpressionFailed.class);
  }

  @Test
  void lists_that_share_their_parts_are_not_compared_without_end() {
    StringBuilder doubled = new StringBuilder("[1]");
    for (int i = 0; i < 40; i++) {
      doubled.append(".map(a, [a, a])");
    }
    assertTooCostly("${{ %s == %s }}".formatted(doubled, doubled), "steps");
    assertTooCostly("${{ %s[5] == 1 }}".formatted(doubled), "steps");
    assertTooCostly("${{ {%s: 1}.size() == 1 }}".formatted(doubled), "steps");
    assertTooCostly("${{ %s }}".formatted(doubled), "steps");
  }

  @Test
  void parameters_that_are_not_used_cost_nothing() throws Exception {
    assertThat(evaluate("${{ params.ten.all(a, params.ten.all(b, params.ten.size() > a)) }}"))
        .isEqualTo(true);
  }

  @Test
  void functions_give_the_same_values_as_before() throws Exception {
    assertThat(evaluate("${{ has(params.ten) && !has(params.nope) && params == params }}"))
        .isEqualTo(true);
    assertThat(evaluate("${{ 'abc'.matches('b') && matches('abc', '^a.c$') }}")).isEqualTo(true);
    assertThat(evaluate("${{ 'abc'.matches('^b') }}")).isEqualTo(false);
    assertThat(evaluate("${{ 'abc'.contains('bc') && !'abc'.contains('cb') }}")).isEqualTo(true);
    assertThat(evaluate("${{ 1 == 1.0 && 1 != 2u && [1, 2] == [1.0, 2] && {'a': 1} == {'a': 1} }}"))
        .isEqualTo(true);
    assertThat(evaluate("${{ 3 in [1, 2, 3] && !(4 in [1]) && 'a' in {'a': 1} }}")).isEqualTo(true);
    assertThat(evaluate("${{ 'a1'.matches('[[:alpha:]]\\\\d{1,3}[]}]?') }}")).isEqualTo(true);
  }

  @Test
  void regular_expressions_that_grow_without_bound_are_refused() {
    assertFails("${{ params.text.matches('(a?){900}b') }}", "too large");
    assertFails("${{ params.text.matches('((a{999}){999}){999}') }}", "too large");
    assertFails("${{ 'a'.matches('" + "(".repeat(60) + "a" + ")".repeat(60) + "') }}", "too large");
    assertFails("${{ 'a'.matches('(') }}", "bad regular expression");
    assertFails("${{ 'a'.matches('a)') }}", "bad regular expression");
    assertFails("${{ 'a'.matches('[!-[:]((a{999}){999}){999}') }}", "too large");
    assertFails("${{ 'a'.matches('(((a{999})(?i){999}))(?i){999}') }}", "cannot be repeated");
    // A bracket between \\Q and \\E ends no group.
    assertFails("${{ 'a'.matches(r'(((a{100}\\Q)))\\Ex){100}y){100}z){100}') }}", "too large");
  }

  @Test
  void all_expressions_of_a_run_have_one_budget() throws Exception {
    Evaluation run = expressions.over(new Scope(PARAMS, Map.of()));
    ExpressionFailed failed = null;
    int evaluated = 0;
    while (failed == null && evaluated < 10_000) {
      try {
        run.evaluate(new Template("${{ params.text.matches('x{10}y%d') }}".formatted(evaluated)));
        evaluated++;
      } catch (ExpressionFailed over) {
        failed = over;
      }
    }
    assertThat(failed)
        .isInstanceOf(TooCostly.class)
        .hasMessageContaining("the expressions of the run took more than 10000000 steps together");
    assertThat(evaluated).isBetween(10, 200);
  }

  @Test
  void equal_expressions_of_a_run_are_evaluated_once_and_their_values_counted_each_time()
      throws Exception {
    Evaluation run = expressions.over(new Scope(PARAMS, Map.of()));
    var costly = new Template("${{ params.text.matches('x{20}y') }}");
    for (int i = 0; i < 10_000; i++) {
      assertThat(run.evaluate(costly)).isEqualTo(false);
    }
    var text = new Template("${{ params.text }}");
    for (int i = 0; i < 666; i++) {
      run.evaluate(text);
    }
    assertThatExceptionOfType(TooCostly.class)
        .isThrownBy(() -> run.evaluate(text))
        .withMessageContaining("have values of more than 20000000 characters together");
  }

  @Test
  void lists_and_maps_are_counted_by_their_text_each_time_and_share_it() throws Exception {
    Map<String, Object> params =
        Map.of("list", List.of("x".repeat(99_000)), "map", Map.of("k".repeat(99_000), 1L));
    var list = new Template("${{ params.list }}");
    var map = new Template("${{ params.map }}");
    Evaluation run = expressions.over(new Scope(params, Map.of()));
    assertThat(run.text(list)).hasSize(99_004).startsWith("[\"xx").isSameAs(run.text(list));
    for (int i = 2; i < 100; i++) {
      run.text(list);
    }
    for (int i = 0; i < 51; i++) {
      run.text(map);
      run.evaluate(map);
    }
    assertThatExceptionOfType(TooCostly.class)
        .isThrownBy(() -> run.text(list))
        .withMessageContaining("have values of more than 20000000 characters together");
  }

  @Test
  void names_of_fields_and_what_json_adds_count_for_the_size_of_a_value() {
    Map<String, Object> params =
        Map.of(
            "names", Map.of("k".repeat(60_000), 1L, "l".repeat(60_000), 2L),
            "controls", List.of("\u0001".repeat(50_000)));
    Evaluation run = expressions.over(new Scope(params, Map.of()));
    assertThatExceptionOfType(ExpressionFailed.class)
        .isThrownBy(() -> run.evaluate(new Template("${{ params.names }}")))
        .withMessageContaining("longer than 100000 characters");
    assertThatExceptionOfType(ExpressionFailed.class)
        .isThrownBy(() -> run.text(new Template("${{ params.controls }}")))
        .withMessageContaining("longer than 100000 characters");
  }

  @Test
  void time_is_bounded_too() {
    var clock = new AtomicLong();
    var slow =
        new CelExpressions(
            ExpressionLimits.DEFAULT, () -> clock.addAndGet(Duration.ofMillis(100).toNanos()));
    assertThatExceptionOfType(TooCostly.class)
        .isThrownBy(
            () ->
                slow.over(new Scope(PARAMS, Map.of()))
                    .evaluate(new Template("${{ params.ten.all(a, params.numbers.size() > a) }}")))
        .withMessageContaining("took more than 2s");
  }

  @Test
  void an_interrupt_ends_an_evaluation() {
    Thread.currentThread().interrupt();
    try {
      assertTooCostly("${{ params.ten.all(a, params.numbers.size() > a) }}", "took more than");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private void assertTooCostly(String template, String expected) {
    Throwable failed = catchThrowable(() -> evaluate(template));
    assertThat(failed == null ? "" : shortened(failed)).contains(expected);
    assertThat(failed).isInstanceOf(TooCostly.class);
  }

  private static String shortened(Throwable failed) {
    String message = String.valueOf(failed);
    return message.length() < 2_000 ? message : message.substring(0, 2_000);
  }

  private void assertFails(String template, String expected) {
    Throwable failed = catchThrowable(() -> evaluate(template));
    assertThat(failed == null ? "" : shortened(failed)).contains(expected);
    assertThat(failed).isInstanceOf(ExpressionFailed.class);
  }
}
