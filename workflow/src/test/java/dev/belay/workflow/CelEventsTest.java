package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.Expressions.TooCostly;
import dev.belay.domain.spec.Template;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelEventsTest {

  private final CelEvents events = new CelEvents(() -> 0);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "event.size > 0; {\"size\": 1}; true",
        "event.size > 0; {\"size\": 0.5}; true",
        "event.size > 0; {\"size\": -1}; false",
        "has(event.size); {}; false",
        "event.a.b[1] == 'x'; {\"a\": {\"b\": [1, \"x\"]}}; true",
        "event.none == null; {\"none\": null}; true",
        "event['odd name']; {\"odd name\": true}; true"
      })
  void filter_reads_the_data(String expression, String data, boolean holds) throws Exception {
    assertThat(events.holds(template(expression), data)).isEqualTo(holds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"event.size > 0", "event.text", "1 + 1", "event.text > 0"})
  void filter_without_a_boolean_value_fails(String expression) {
    assertThatThrownBy(() -> events.holds(template(expression), "{\"text\": \"x\"}"))
        .isInstanceOf(ExpressionFailed.class);
  }

  @Test
  void costly_filter_is_ended_by_its_budget() {
    String list = "[" + "1,".repeat(900) + "1]";
    String text = "x".repeat(50_000);
    assertThatThrownBy(
            () ->
                events.holds(
                    template("event.l.all(a, event.t == event.t)"),
                    "{\"l\": " + list + ", \"t\": \"" + text + "\"}"))
        .isInstanceOf(TooCostly.class);
  }

  @Test
  void parameters_see_the_newest_event_and_all() throws Exception {
    assertThat(
            events.params(
                Map.of(
                    "plain", 1L,
                    "path", template("event.path"),
                    "all", template("events.map(e, e.path)")),
                List.of("{\"path\": \"a\"}", "{\"path\": \"b\"}")))
        .isEqualTo(Map.of("plain", 1L, "path", "b", "all", List.of("a", "b")));
  }

  private static Template template(String expression) {
    return new Template("${{ " + expression + " }}");
  }
}
