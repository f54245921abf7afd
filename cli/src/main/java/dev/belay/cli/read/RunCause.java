package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import java.util.ArrayList;
import java.util.List;

/** What started a run. */
final class RunCause {

  private RunCause() {}

  /** A few words for a list. */
  static String brief(JsonNode run) {
    JsonNode cause = run.path("cause");
    String by = text(run, "created_by");
    if (!text(cause, "backfill_id").isEmpty()) {
      return "backfill " + text(run, "logical_date");
    }
    String trigger = text(cause, "trigger");
    if (trigger.startsWith(by + " ")) {
      return trigger;
    }
    return trigger.isEmpty() ? by : by + ": " + trigger;
  }

  /** All there is to say; empty when a person started it. */
  static String whole(JsonNode run) {
    JsonNode cause = run.path("cause");
    List<String> parts = new ArrayList<>();
    String trigger = text(cause, "trigger");
    if (!trigger.isEmpty()) {
      parts.add("the trigger " + trigger);
    }
    add(parts, cause, "backfill_id", "the backfill ");
    add(parts, cause, "upstream_run_id", "the end of the run ");
    add(parts, cause, "event_id", "the event ");
    return parts.isEmpty() ? "" : "started by " + String.join(", ", parts);
  }

  private static void add(List<String> parts, JsonNode cause, String field, String what) {
    String id = text(cause, field);
    if (!id.isEmpty()) {
      parts.add(what + id);
    }
  }

  private static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
