package dev.belay.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.util.ArrayList;
import java.util.List;

/** Describes a bulk operation for a person. */
final class BulkText {

  private BulkText() {}

  /** How many match, as far as they were counted. */
  static String matches(JsonNode preview) {
    long matches = preview.path("matches").asLong();
    return (preview.path("counted_all").asBoolean() ? "" : "at least ") + "%,d".formatted(matches);
  }

  static String what(String kind) {
    return kind.endsWith("_dead_letters")
        ? "dead letters"
        : kind.endsWith("_runs") ? "runs" : "tasks";
  }

  /** What an operation would change. */
  static List<String> preview(JsonNode planned, Style style) {
    var lines = new ArrayList<String>();
    String kind = text(planned, "kind");
    lines.add(
        style.bold(
            "%s: %s %s match".formatted(kind, matches(planned.path("preview")), what(kind))));
    lines.add("  filter " + Style.clean(planned.path("filter").toString()));
    for (JsonNode item : planned.path("preview").path("sample")) {
      lines.add(
          "  %s  %s  %s"
              .formatted(text(item, "id"), style.state(text(item, "state")), text(item, "name")));
    }
    return lines;
  }

  /** One line about how far it is. */
  static String progress(JsonNode bulk) {
    return "%,d of %s %s: %,d changed, %,d refused"
        .formatted(
            bulk.path("matched").asLong(),
            matches(bulk.path("preview")),
            what(text(bulk, "kind")),
            bulk.path("changed").asLong(),
            bulk.path("refused").asLong());
  }

  static List<String> lines(JsonNode bulk, Style style, Times times) {
    var lines = new ArrayList<String>();
    lines.add(
        "%s %s  %s"
            .formatted(
                style.bold("Bulk " + text(bulk, "kind")),
                text(bulk, "id"),
                style.state(text(bulk, "state"))));
    lines.add("  filter " + Style.clean(bulk.path("filter").toString()));
    var created = Json.time(bulk, "created_at");
    lines.add(
        "  requested by %s%s%s%s"
            .formatted(
                text(bulk, "created_by"),
                created == null ? "" : " at " + times.dateTime(created),
                text(bulk, "rate").isEmpty() ? "" : ", at most " + text(bulk, "rate") + " a second",
                text(bulk, "priority").isEmpty() ? "" : ", priority " + text(bulk, "priority")));
    lines.add("  " + progress(bulk));
    bulk.path("reasons")
        .properties()
        .forEach(
            reason ->
                lines.add(
                    "    %s: %s"
                        .formatted(Style.clean(reason.getKey()), reason.getValue().asText())));
    for (JsonNode refusal : bulk.path("refusals")) {
      lines.add(style.dim("    %s  %s".formatted(text(refusal, "id"), text(refusal, "detail"))));
    }
    String reason = text(bulk, "reason");
    if (!reason.isEmpty()) {
      lines.add("  " + reason);
    }
    return lines;
  }

  private static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
