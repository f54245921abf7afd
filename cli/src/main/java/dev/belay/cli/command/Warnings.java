package dev.belay.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import java.util.ArrayList;
import java.util.List;

/** The warnings of an answer about files. */
public final class Warnings {

  private Warnings() {}

  /** A line for each, in the form of problems. */
  public static List<String> of(JsonNode answer) {
    var lines = new ArrayList<String>();
    for (var each : answer.path("warnings")) {
      lines.add(
          Style.clean(
              "%s:%d:%d: warning: %s"
                  .formatted(
                      Json.text(each, "file"),
                      each.path("line").asInt(),
                      each.path("column").asInt(),
                      Json.text(each, "message"))));
    }
    return lines;
  }
}
