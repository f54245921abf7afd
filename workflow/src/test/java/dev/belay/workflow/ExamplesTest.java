package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.plan.Graph;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.plan.RunView;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.WorkflowSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {

  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final Map<String, Object> RUN =
      Map.of(
          "id", "0198-1",
          "workflow", "w",
          "tenant", "default",
          "logical_date", "2026-01-31",
          "created_at", "2026-01-31T06:30:00Z");

  static Stream<Path> examples() throws IOException {
    try (Stream<Path> files = java.nio.file.Files.list(EXAMPLES)) {
      return files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void example_is_valid_and_each_expression_has_a_value(Path file) throws Exception {
    WorkflowSpec spec = read(file);
    Expressions expressions = new CelExpressions();
    Params.Resolution params = Params.resolve(spec, Map.of(), RUN, expressions);
    assertThat(params).isInstanceOf(Params.Resolved.class);
    Expressions.Scope scope = new Expressions.Scope(((Params.Resolved) params).values(), RUN);
    for (TaskSpec task : spec.tasks()) {
      if (task.when() != null) {
        assertThat(expressions.over(scope).evaluate(task.when())).isInstanceOf(Boolean.class);
      }
      for (var template : task.env().values()) {
        assertThat(expressions.over(scope).evaluate(template)).isNotNull();
      }
      if (task.action() instanceof dev.belay.domain.spec.Action.Command command) {
        for (var argument : command.argv()) {
          assertThat(expressions.over(scope).evaluate(argument)).isNotNull();
        }
      }
    }
    assertThat(SpecCodec.fromJson(SpecCodec.toJson(spec))).isEqualTo(spec);
  }

  @Test
  void lists_and_maps_reach_a_command_as_json() throws Exception {
    WorkflowSpec spec = read(EXAMPLES.resolve("params.yaml"));
    Expressions expressions = new CelExpressions();
    var params = (Params.Resolved) Params.resolve(spec, Map.of(), RUN, expressions);
    var scope = new Expressions.Scope(params.values(), RUN);
    Plan plan =
        new Planner(expressions)
            .plan(Graph.of(spec), new RunView(RunState.QUEUED, null, scope, Map.of()));
    assertThat(plan.creations())
        .filteredOn(task -> task.task().name().equals("json"))
        .singleElement()
        .satisfies(
            task ->
                assertThat(
                        Objects.requireNonNull(Objects.requireNonNull(task.ready()).work()).argv())
                    .containsExactly(
                        "/bin/echo",
                        "{\"colors\":[\"red\",\"green\"],\"depth\":2}",
                        "red",
                        "[\"red!\",\"green!\"]",
                        "2"));
  }

  @Test
  void the_promised_examples_are_there() throws IOException {
    assertThat(examples().map(f -> f.getFileName().toString()))
        .contains(
            "hello.yaml",
            "etl.yaml",
            "fan-out.yaml",
            "flaky.yaml",
            "nightly.yaml",
            "params.yaml",
            "wait.yaml");
    assertThat(read(EXAMPLES.resolve("nightly.yaml")).triggers()).hasSize(3);
    assertThat(read(EXAMPLES.resolve("fan-out.yaml")).tasks()).hasSize(101);
  }

  private static WorkflowSpec read(Path file) throws IOException {
    return ParsedFiles.valid(java.nio.file.Files.readString(file));
  }
}
