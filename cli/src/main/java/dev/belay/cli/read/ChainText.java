package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import java.util.ArrayList;
import java.util.List;

/** What became of the triggers that waited for the end of a run. */
final class ChainText {

  private ChainText() {}

  /** None when no trigger waited for it. */
  static List<String> lines(JsonNode chains, Style style) {
    var table = new Table("WORKFLOW", "TRIGGER", "OUTCOME", "RUN OR REASON");
    for (JsonNode chain : chains) {
      String run = text(chain, "run_id");
      table.add(
          Cell.of(text(chain, "workflow")),
          Cell.of(text(chain, "trigger")),
          Cell.of(text(chain, "outcome")),
          Cell.whole(run.isEmpty() ? reason(chain) : "run " + run));
    }
    if (table.isEmpty()) {
      return List.of();
    }
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add(style.bold("What its end started"));
    table.lines(style).forEach(line -> lines.add("  " + line));
    return lines;
  }

  private static String reason(JsonNode chain) {
    String reason = text(chain, "reason");
    return switch (reason) {
      case "on" -> "the trigger does not wait for " + text(chain, "state");
      case "overlap" -> "max_active was reached (overlap)";
      case "paused" -> "the workflow was paused";
      case "trigger_paused" -> "the trigger was paused";
      case "depth" -> "too many runs in a row caused each other (chain-depth-max)";
      case "deleted" -> "the workflow was deleted";
      default -> reason;
    };
  }

  private static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
