package dev.belay.domain.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/state-machines.md} is generated from the tables in the code. Run with -Dbelay.write
 * to regenerate it.
 */
class StateMachinesPageTest {

  private static final Path PAGE = Path.of("..", "docs", "state-machines.md");

  private record Edge(String from, String to, String by) {}

  @Test
  void the_page_says_what_the_code_does() throws IOException {
    String made = page();
    if (System.getProperty("belay.write") != null) {
      Files.writeString(PAGE, made);
    }
    assertThat(Files.readString(PAGE))
        .as("stale: run mvn -q -pl domain test -Dbelay.write -Dtest=StateMachinesPageTest")
        .isEqualTo(made);
  }

  private static String page() {
    return "# State machines\n\n"
        + "Made from `TaskTransitions` and `RunTransitions`; a test fails when this page is"
        + " stale.\n"
        + "Every write of a task or run is checked against these tables, and leaves one step"
        + " in the history.\n\n"
        + "## Tasks\n\n"
        + diagram(taskEdges().stream().filter(edge -> !isClear(edge)).toList())
        + "\n"
        + "From every terminal state a person may clear or retry a task (to WAITING or PENDING);"
        + " that raises its\n"
        + "generation. Terminal states: "
        + names(TaskState.TERMINAL.stream())
        + ". Active states (a worker holds it): "
        + names(TaskState.ACTIVE.stream())
        + ".\n\n"
        + table(taskEdges().stream().filter(edge -> !isClear(edge)).toList())
        + "\n## Runs\n\n"
        + diagram(runEdges())
        + "\n"
        + table(runEdges());
  }

  private static boolean isClear(Edge edge) {
    return edge.by().contains("new generation");
  }

  private static List<Edge> taskEdges() {
    return TaskTransitions.EDGES.stream()
        .map(edge -> new Edge(name(edge.from()), edge.to().name(), edge.by()))
        .toList();
  }

  private static List<Edge> runEdges() {
    return RunTransitions.EDGES.stream()
        .map(edge -> new Edge(name(edge.from()), edge.to().name(), edge.by()))
        .toList();
  }

  private static String name(@Nullable Enum<?> state) {
    return state == null ? "(new)" : state.name();
  }

  private static String names(Stream<TaskState> states) {
    return states.map(Enum::name).collect(Collectors.joining(", "));
  }

  private static String diagram(List<Edge> edges) {
    return edges.stream()
        .map(edge -> "  " + edge.from().replace("(new)", "[*]") + " --> " + edge.to() + "\n")
        .distinct()
        .collect(Collectors.joining("", "```mermaid\nstateDiagram-v2\n", "```\n"));
  }

  private static String table(List<Edge> edges) {
    return edges.stream()
        .map(edge -> "| " + edge.from() + " | " + edge.to() + " | " + edge.by() + " |\n")
        .collect(Collectors.joining("", "| from | to | when |\n| --- | --- | --- |\n", ""));
  }

  @Test
  void every_state_can_be_reached_and_every_open_state_can_be_left() {
    Map<String, TreeSet<String>> targets = new LinkedHashMap<>();
    taskEdges()
        .forEach(
            edge -> targets.computeIfAbsent(edge.from(), from -> new TreeSet<>()).add(edge.to()));
    for (TaskState state : TaskState.values()) {
      assertThat(taskEdges()).as("into " + state).anyMatch(edge -> edge.to().equals(state.name()));
      assertThat(targets).as("out of " + state).containsKey(state.name());
    }
    for (RunState state : RunState.values()) {
      assertThat(runEdges()).as("into " + state).anyMatch(edge -> edge.to().equals(state.name()));
    }
  }
}
