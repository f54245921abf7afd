package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import java.util.ArrayList;
import java.util.List;

/** The answer to a request about a task, in words. */
final class SteerText {

  private SteerText() {}

  static List<String> of(JsonNode answer, String task) {
    var lines = new ArrayList<String>();
    switch (Json.text(answer, "answer")) {
      case "unchanged" ->
          lines.add("The task %s is %s already.".formatted(task, Json.text(answer, "state")));
      case "ending" ->
          lines.add(
              "The task %s is %s. Its process is asked to end; then it is %s."
                  .formatted(task, Json.text(answer, "state"), Json.text(answer, "then")));
      case "would_clear" -> {
        lines.add("Would run again (nothing changed):");
        addTasks(lines, answer);
      }
      case "prioritized" -> lines.add("The task %s has a new priority.".formatted(task));
      default -> {
        addTasks(lines, answer);
        if (answer.path("reopened").asBoolean()) {
          lines.add("The run %s waits for its turn again.".formatted(Json.text(answer, "run")));
        }
      }
    }
    return lines;
  }

  private static void addTasks(List<String> lines, JsonNode answer) {
    for (var changed : answer.path("tasks")) {
      lines.add(
          "%s  %s -> %s  generation %d  %s"
              .formatted(
                  Json.text(changed, "name"),
                  Json.text(changed, "from"),
                  Json.text(changed, "to"),
                  changed.path("generation").asInt(),
                  Json.text(changed, "id")));
    }
  }
}
