package dev.belay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import java.util.ArrayList;
import java.util.List;

/** The warnings of an answer. */
public final class Warnings {

  private Warnings() {}

  /** A line for each, in the form of problems. */
  public static List<String> of(JsonNode answer) {
    var lines = new ArrayList<String>();
    for (var each : answer.path("warnings")) {
      lines.add(Style.clean(each.isTextual() ? "warning: " + each.asText() : inFile(each)));
    }
    return lines;
  }

  private static String inFile(JsonNode warning) {
    return "%s:%d:%d: warning: %s"
        .formatted(
            Json.text(warning, "file"),
            warning.path("line").asInt(),
            warning.path("column").asInt(),
            Json.text(warning, "message"));
  }
}
