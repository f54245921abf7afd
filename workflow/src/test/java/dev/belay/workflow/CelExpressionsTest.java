package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Expressions.Scope;
import dev.belay.domain.spec.Template;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CelExpressionsTest {

  private final CelExpressions expressions = new CelExpressions();

  private static final Map<String, Object> PARAMS =
      Map.of(
          "day",
          "2026-01-31",
          "n",
          5,
          "f",
          2.5,
          "fast",
          true,
          "json",
          Map.of("list", Arrays.asList(1, null, "x"), "deep", Map.of("k", 7)),
          "long_list",
          LongStream.range(0, 900).boxed().toList(),
          "big",
          "x".repeat(50_000));

  private Object evaluate(String template) throws ExpressionFailed {
    return expressions.over(new Scope(PARAMS, Map.of("id", "r1"))).evaluate(new Template(template));
  }

  @Test
  void single_expression_keeps_its_type() throws Exception {
    assertThat(evaluate("${{ params.n + 1 }}")).isEqualTo(6L);
    assertThat(evaluate("${{ params.f * 2.0 }}")).isEqualTo(5.0);
    assertThat(evaluate("${{ params.fast && params.n > 4 }}")).isEqualTo(true);
    assertThat(evaluate("${{ params.day }}")).isEqualTo("2026-01-31");
    assertThat(evaluate("${{ params.json.list }}")).isEqualTo(Arrays.asList(1L, null, "x"));
    assertThat(evaluate("${{ {'a': 1u, 2: duration('90s')} }}"))
        .isEqualTo(Map.of("a", 1L, "2", "1m30s"));
    assertThat(evaluate("${{ timestamp('2026-01-31T00:00:00Z') + duration('24h') }}"))
        .isEqualTo("2026-02-01T00:00:00Z");
  }

  @Test
  void text_around_expressions_makes_text() throws Exception {
    assertThat(evaluate("plain")).isEqualTo("plain");
    assertThat(evaluate("")).isEqualTo("");
    assertThat(evaluate(" ${{ params.n }}")).isEqualTo(" 5");
    assertThat(evaluate("${{ params.n }}${{ params.f }}")).isEqualTo("52.5");
    assertThat(evaluate("run ${{ run.id }}: ${{ params.json.deep }}"))
        .isEqualTo("run r1: {\"k\":7}");
    assertThat(evaluate("${{ '}}' + '{' }}!")).isEqualTo("}}{!");
  }

  @Test
  void failure_names_the_expression_and_the_reason() {
    assertFails("${{ params.nope }}", "${{ params.nope }} has no value: key 'nope' is not present");
    assertFails("${{ 1 / 0 }}", "${{ 1 / 0 }} has no value: / by zero");
    assertFails("${{ params.json.list[1] }}", "has no value: it is null");
    assertFails("${{ b'x' }}", "its value cannot be used");
    assertFails("${{ 0.0 / 0.0 }}", "its value cannot be used");
    assertFails("${{ 18446744073709551615u }}", "its value cannot be used");
    assertFails("${{ 1 + }}", "has no value");
    assertFails("${{ open", "without '}}'");
    assertFails("${{ tasks.a }}", "has no value");
  }

  @Test
  @Timeout(60)
  void evaluation_is_bounded() {
    String list = "params.long_list";
    assertFails(
        "${{ %s.all(a, %s.all(b, a + b >= 0)) }}".formatted(list, list),
        "Iteration budget exceeded");
    assertFails(
        "${{ %s.map(a, params.big + params.big) }}".formatted(list),
        "took more than 10000000 steps");
    assertFails("${{ params.big + params.big + params.big }}", "longer than 100000 characters");
    assertFails("${{ [params.big, params.big, params.big] }}", "longer than 100000 characters");
    assertFails("x${{ params.big }}${{ params.big }}", "longer than 100000 characters");
    assertFails("${{ " + "(".repeat(1_000) + "1" + ")".repeat(1_000) + " }}", "has no value");
  }

  @Test
  void cache_of_programs_is_bounded_and_results_stay_right() throws Exception {
    for (int i = 0; i < CelExpressions.PROGRAMS_MAX + 100; i++) {
      assertThat(evaluate("${{ %d }}".formatted(i))).isEqualTo((long) i);
    }
    assertThat(evaluate("${{ 0 }}")).isEqualTo(0L);
    assertThat(expressions.programs()).isEqualTo(CelExpressions.PROGRAMS_MAX);
  }

  @Test
  void threads_share_programs() throws Exception {
    List<Callable<Object>> calls =
        Collections.nCopies(64, () -> evaluate("${{ params.json.deep.map(k, params.n * 4)[0] }}"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Object> result : threads.invokeAll(calls)) {
        assertThat(result.get()).isEqualTo(20L);
      }
    }
  }

  @Test
  void values_stand_in_text_as_json() {
    Map<String, Object> withNull = new HashMap<>();
    withNull.put("a", null);
    assertThat(CelExpressions.text("x")).isEqualTo("x");
    assertThat(CelExpressions.text(5L)).isEqualTo("5");
    assertThat(CelExpressions.text(true)).isEqualTo("true");
    assertThat(CelExpressions.text(List.of("x", withNull))).isEqualTo("[\"x\",{\"a\":null}]");
  }

  private void assertFails(String template, String expected) {
    assertThatExceptionOfType(ExpressionFailed.class)
        .isThrownBy(() -> evaluate(template))
        .withMessageContaining(expected);
  }
}
