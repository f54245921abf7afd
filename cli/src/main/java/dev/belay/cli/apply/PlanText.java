package dev.belay.cli.apply;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.command.Warnings;
import dev.belay.cli.terminal.Style;
import java.util.ArrayList;
import java.util.List;

/** A plan for people: one line for each workflow, with the difference below a change. */
final class PlanText {

  private static final String INDENT = "    ";
  private static final String[] ACTIONS = {
    "create", "change", "restore", "pause", "delete", "unchanged"
  };

  private final JsonNode plan;
  private final Style style;

  PlanText(JsonNode plan, Style style) {
    this.plan = plan;
    this.style = style;
  }

  /** Unchanged workflows come first, so that the changes end up near the prompt. */
  List<String> lines() {
    var lines = new ArrayList<String>();
    var changes = new ArrayList<String>();
    for (var item : plan.path("items")) {
      if (Json.text(item, "action").equals("unchanged")) {
        lines.add(style.dim(line(item)));
      } else {
        changes.add(line(item));
        Json.text(item, "diff").lines().map(this::diffLine).forEach(changes::add);
      }
    }
    lines.addAll(changes);
    return lines;
  }

  /** Warnings, in the form of problems. */
  List<String> warnings() {
    return Warnings.of(plan);
  }

  /** How many of each action, like {@code 1 create, 499 unchanged}. */
  String counts() {
    var counts = new ArrayList<String>();
    for (var action : ACTIONS) {
      int count = plan.path("counts").path(action).asInt();
      if (count > 0) {
        counts.add(count + " " + action);
      }
    }
    return String.join(", ", counts);
  }

  boolean changes() {
    return plan.path("changes").asBoolean();
  }

  int count(String action) {
    return plan.path("counts").path(action).asInt();
  }

  private String line(JsonNode item) {
    var action = Json.text(item, "action");
    var tenant = Json.text(item, "tenant");
    var of =
        Json.text(item, "kind").equals("system")
            ? "system file"
            : Json.text(item, "name")
                + (tenant.equals("default") ? "" : " (tenant " + tenant + ")")
                + version(action, item);
    var file = Json.text(item, "file");
    return painted(action, "%-9s".formatted(action))
        + " "
        + Style.clean(of)
        + (file.isEmpty() ? "" : style.dim("  " + Style.clean(file)));
  }

  private static String version(String action, JsonNode item) {
    var version = Json.text(item, "version");
    return switch (action) {
      case "create", "change", "restore" -> " version " + version;
      default -> "";
    };
  }

  private String painted(String action, String text) {
    return switch (action) {
      case "create", "restore" -> style.state("SUCCEEDED", text);
      case "change", "pause" -> style.state("CANCELLED", text);
      case "delete" -> style.red(text);
      default -> text;
    };
  }

  private String diffLine(String line) {
    var shown = Style.clean(line);
    return INDENT
        + switch (line.isEmpty() ? ' ' : line.charAt(0)) {
          case '+' -> style.state("SUCCEEDED", shown);
          case '-' -> style.red(shown);
          case '@' -> style.state("RUNNING", shown);
          default -> shown;
        };
  }
}
