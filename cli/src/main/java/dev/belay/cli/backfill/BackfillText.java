package dev.belay.cli.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.util.ArrayList;
import java.util.List;

/** Describes a backfill for a person. */
final class BackfillText {

  private BackfillText() {}

  /** One line about how far it is. */
  static String progress(JsonNode backfill) {
    var runs = backfill.path("runs");
    int fired = backfill.path("fired").asInt();
    int skipped = backfill.path("skipped").asInt();
    return "%d of %d instants: %d %s (%d open, %d succeeded, %d failed, %d cancelled), %d skipped"
        .formatted(
            fired + skipped,
            backfill.path("total").asInt(),
            fired,
            fired == 1 ? "run" : "runs",
            runs.path("queued").asInt() + runs.path("running").asInt(),
            runs.path("succeeded").asInt(),
            runs.path("failed").asInt(),
            runs.path("cancelled").asInt(),
            skipped);
  }

  static boolean succeeded(JsonNode backfill) {
    var runs = backfill.path("runs");
    return Json.text(backfill, "state").equals("COMPLETED")
        && runs.path("failed").asInt() == 0
        && runs.path("cancelled").asInt() == 0;
  }

  static List<String> lines(JsonNode backfill, Style style, Times times) {
    var lines = new ArrayList<String>();
    lines.add(
        "%s %s  %s"
            .formatted(
                style.bold("Backfill of " + text(backfill, "workflow")),
                text(backfill, "id"),
                style.state(text(backfill, "state"))));
    lines.add(
        "  '%s' from %s until %s, %s"
            .formatted(
                text(backfill, "trigger"),
                text(backfill, "from"),
                text(backfill, "to"),
                text(backfill, "order")));
    var created = Json.time(backfill, "created_at");
    lines.add(
        "  concurrency %s, existing %s, created by %s%s"
            .formatted(
                text(backfill, "concurrency"),
                text(backfill, "existing"),
                text(backfill, "created_by"),
                created == null ? "" : " at " + times.dateTime(created)));
    if (!backfill.path("params").isEmpty()) {
      lines.add("  params " + Style.clean(backfill.path("params").toString()));
    }
    lines.add("  " + progress(backfill));
    String next = text(backfill, "next_instant");
    if (!next.isEmpty()) {
      lines.add("  next instant " + next);
    }
    String waits = text(backfill.path("waiting"), "detail");
    String reason = text(backfill, "reason");
    if (!reason.isEmpty() && !waits.contains(reason)) {
      lines.add("  " + reason);
    }
    if (!waits.isEmpty()) {
      lines.add("  waits: " + waits);
    }
    if (!text(backfill, "ended_at").isEmpty() && !succeeded(backfill)) {
      again(backfill, style, lines);
    }
    return lines;
  }

  private static void again(JsonNode backfill, Style style, List<String> lines) {
    String workflow = text(backfill, "workflow");
    lines.add(
        style.dim(
            "See why: belay runs --workflow %s --state FAILED,CANCELLED".formatted(workflow)));
    lines.add(
        style.dim(
            "Run them again: belay backfill start %s --existing failed, with its range"
                .formatted(workflow)));
  }

  private static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
