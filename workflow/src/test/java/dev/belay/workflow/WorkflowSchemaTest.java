package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkflowSchemaTest {

  private final JsonFields schema = read();

  private static JsonFields read() {
    try {
      return JsonFields.of(Json.read(WorkflowSchema.json()));
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void every_key_of_the_table_is_in_the_schema_and_nothing_else_is_allowed() {
    JsonFields task = schema.fields("properties").fields("task");
    assertThat(schema.text("$schema")).endsWith("draft/2020-12/schema");
    assertThat(schema.fields("properties").fields().size()).isEqualTo(Keys.FILE.keys().size());
    assertThat(task.fields("properties").fields().size()).isEqualTo(Keys.TASK.keys().size());
    assertThat(task.flag("additionalProperties")).isFalse();
    assertThat(task.fields("patternProperties").has("^x-")).isTrue();
  }

  @Test
  void reserved_keys_are_described_and_refused() {
    JsonFields notify = schema.fields("properties").fields("notify");
    assertThat(notify.text("description")).startsWith("Reserved, not supported yet.");
    assertThat(notify.value("not")).isEqualTo(Map.of());
  }

  @Test
  void limits_and_words_come_from_the_table() {
    JsonFields task = schema.fields("properties").fields("task").fields("properties");
    JsonFields run = schema.fields("properties").fields("run").fields("properties");
    assertThat(run.fields("max_active").whole("maximum")).isEqualTo(10_000);
    assertThat(run.fields("max_tasks").whole("maximum")).isEqualTo(100_000);
    assertThat("etl.load").matches(task.fields("topic").text("pattern"));
    assertThat(task.fields("slots").whole("maximum")).isEqualTo(10_000);
    JsonFields resources = task.fields("resources").fields("properties");
    assertThat("2GiB").matches(resources.fields("memory").text("pattern"));
    assertThat("2GB").doesNotMatch(resources.fields("memory").text("pattern"));
    assertThat(task.fields("concurrency").texts("required")).containsExactly("key");
    assertThat(task.fields("rate_limit").texts("required")).containsExactly("key", "max", "per");
    assertThat("2h").matches(run.fields("timeout").text("pattern"));
    assertThat("06:00 Europe/Berlin").matches(run.fields("expect_by").text("pattern"));
    assertThat("6 o'clock").doesNotMatch(run.fields("expect_by").text("pattern"));
    assertThat(run.fields("overlap").texts("enum"))
        .containsExactly("allow", "skip", "queue", "cancel_running");
    assertThat(task.fields("priority").whole("maximum")).isEqualTo(100);
    assertThat(task.fields("trigger_rule").texts("enum")).contains("none_failed_min_one_success");
    assertThat(task.fields("command").whole("minItems")).isEqualTo(1);
    assertThat("1h30m").matches(task.fields("execution_timeout").text("pattern"));
    assertThat(task.fields("fencing").texts("enum")).containsExactly("token", "strict");
    assertThat(task.fields("on_worker_lost").texts("enum")).containsExactly("retry", "fail");
    assertThat("2h").matches(task.fields("deadline").text("pattern"));
    assertThat("soon").doesNotMatch(task.fields("execution_timeout").text("pattern"));
  }

  @Test
  void a_trigger_has_exactly_one_kind() {
    JsonFields triggers = schema.fields("properties").fields("triggers");
    JsonFields trigger = triggers.fields("items");
    assertThat(triggers.whole("maxItems")).isEqualTo(TriggerKeys.TRIGGERS_MAX);
    assertThat(trigger.fields("properties").fields().size())
        .isEqualTo(TriggerKeys.TRIGGER.keys().size());
    assertThat(trigger.list("oneOf")).hasSize(TriggerKeys.Kind.values().length);
    assertThat(trigger.fields("properties").fields("debounce").list("anyOf")).hasSize(2);
  }
}
