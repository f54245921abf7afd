package dev.belay.cli.schedule;

import static dev.belay.cli.schedule.FireText.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import dev.belay.cli.terminal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Describes the triggers of a workflow: past instants, then the next ones, in order of time. */
final class ScheduleDetails {

  private final JsonNode schedule;
  private final Style style;
  private final Times times;

  ScheduleDetails(JsonNode schedule, Style style, Times times) {
    this.schedule = schedule;
    this.style = style;
    this.times = times;
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    for (JsonNode trigger : schedule.path("triggers")) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      trigger(trigger, lines);
    }
    if (schedule.path("more").asBoolean()) {
      lines.add("");
      lines.add(
          style.dim(
              "There are more triggers: belay schedules --workflow " + text(schedule, "workflow")));
    }
    removed(lines);
    return lines;
  }

  private void trigger(JsonNode trigger, List<String> lines) {
    lines.add(style.bold(text(trigger, "trigger")) + named(trigger));
    facts(trigger, lines);
    var table = new Table("TIME", "OUTCOME", "LATE", "RUN OR REASON");
    String zone = text(trigger, "timezone");
    JsonNode past = trigger.path("past");
    for (int i = past.size() - 1; i >= 0; i--) {
      past(past.get(i), zone, table);
    }
    trigger.path("next").forEach(instant -> next(instant, zone, table));
    if (!table.isEmpty()) {
      table.lines(style).forEach(line -> lines.add("  " + line));
    } else if (text(trigger, "waits_for").isEmpty()) {
      lines.add("  It has no past instants and no further one.");
    }
  }

  /** Nothing when the name already says it. */
  private static String named(JsonNode trigger) {
    String when = FireText.when(trigger);
    return when.startsWith(text(trigger, "trigger"))
        ? when.substring(text(trigger, "trigger").length())
        : "  " + when;
  }

  private void facts(JsonNode trigger, List<String> lines) {
    String waitsFor = text(trigger, "waits_for");
    if (!waitsFor.isEmpty()) {
      lines.add("  waits for " + waitsFor);
    }
    var facts = new ArrayList<String>();
    fact(trigger, "missed", "missed: ", facts);
    fact(trigger, "calendar", "calendar: ", facts);
    fact(trigger, "jitter", "jitter: up to ", facts);
    if (!facts.isEmpty()) {
      lines.add("  " + style.dim(String.join(", ", facts)));
    }
    paused(trigger, lines);
    var removed = Json.time(trigger, "removed_at");
    if (removed != null) {
      lines.add("  removed " + times.dateTime(removed) + "; only its past remains");
    }
  }

  private static void fact(JsonNode trigger, String field, String words, List<String> facts) {
    String value = text(trigger, field);
    if (!value.isEmpty()) {
      facts.add(words + value);
    }
  }

  private void paused(JsonNode trigger, List<String> lines) {
    String workflow = text(trigger, "workflow");
    var own = Json.time(trigger, "paused_at");
    if (own != null) {
      lines.add(
          "  %s since %s by %s; resume it: belay schedule resume %s --trigger '%s'"
              .formatted(
                  style.state("BLOCKED", "paused"),
                  times.dateTime(own),
                  text(trigger, "paused_by"),
                  workflow,
                  text(trigger, "trigger")));
    }
    var whole = Json.time(trigger, "workflow_paused_at");
    if (whole != null) {
      lines.add(
          "  the workflow is %s since %s by %s; resume it: belay resume %s"
              .formatted(
                  style.state("BLOCKED", "paused"),
                  times.dateTime(whole),
                  text(trigger, "workflow_paused_by"),
                  workflow));
    }
  }

  private void past(JsonNode fire, String zone, Table table) {
    String outcome = text(fire, "outcome");
    UnaryOperator<String> paint =
        outcome.equals("fired") ? painted("SUCCEEDED") : painted("BLOCKED");
    table.add(
        Cell.of(local(fire, zone)),
        new Cell(outcome, paint),
        Cell.of(FireText.late(fire)),
        Cell.whole(FireText.past(fire, zone)));
  }

  /** In the colour of a state. */
  private UnaryOperator<String> painted(String state) {
    return text -> style.state(state, text);
  }

  private void next(JsonNode instant, String zone, Table table) {
    String why = FireText.next(instant);
    String note = text(instant, "note");
    String told = why.isEmpty() ? in(instant) : why;
    table.add(
        new Cell(local(instant, zone), style::dim),
        new Cell(why.isEmpty() ? "next" : "will skip", style::dim),
        Cell.of(""),
        Cell.whole(note.isEmpty() ? told : told + " (" + note + ")"));
  }

  private String in(JsonNode instant) {
    var due = Json.time(instant, "due_at");
    if (due == null) {
      return "";
    }
    var wait = Duration.between(times.now(), due);
    return wait.isNegative() ? "due now" : "in " + Times.coarse(wait);
  }

  private static String local(JsonNode of, String zone) {
    Instant at = Json.time(of, "at");
    return at == null ? "" : FireText.local(at, zone);
  }

  private void removed(List<String> lines) {
    JsonNode removed = schedule.path("removed");
    if (removed.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(style.bold("Removed triggers") + style.dim(" (--trigger NAME shows their past)"));
    for (JsonNode one : removed) {
      var at = Json.time(one, "removed_at");
      lines.add("  %s  %s".formatted(at == null ? "" : times.dateTime(at), text(one, "name")));
    }
  }
}
