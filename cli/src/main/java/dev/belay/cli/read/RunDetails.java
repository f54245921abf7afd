package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.command.WaitText;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import dev.belay.cli.terminal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Describes a run: its state, history and tasks. */
final class RunDetails {

  private final JsonNode run;
  private final JsonNode history;
  private final JsonNode tasks;
  private final Style style;
  private final Times times;

  RunDetails(JsonNode run, JsonNode history, JsonNode tasks, Style style, Times times) {
    this.run = run;
    this.history = history.path("items");
    this.tasks = tasks;
    this.style = style;
    this.times = times;
  }

  /** The task states with their counts, without zeros. */
  static String counts(JsonNode run) {
    var counts = new ArrayList<String>();
    run.path("task_counts")
        .properties()
        .forEach(
            count -> {
              if (count.getValue().asInt() > 0) {
                counts.add(count.getValue().asInt() + " " + count.getKey());
              }
            });
    return counts.isEmpty() ? "-" : String.join(", ", counts);
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(
        "%s %s  %s"
            .formatted(
                style.bold("Run of " + text(run, "workflow")),
                text(run, "id"),
                style.state(text(run, "state"))));
    lines.add(
        "  version %s, created by %s%s%s%s"
            .formatted(
                text(run, "version"),
                text(run, "created_by"),
                logicalDate(),
                took(),
                generation(run)));
    String cause = RunCause.whole(run);
    if (!cause.isEmpty()) {
      lines.add("  " + cause);
    }
    waits().ifPresent(why -> lines.add("  " + why));
    for (var task : run.path("waiting_tasks")) {
      lines.add("  %s waits: %s".formatted(text(task, "name"), WaitText.of(task, times)));
    }
    if (!run.path("params").isEmpty()) {
      lines.add("  params " + Style.clean(run.path("params").toString()));
    }
    lines.add("  tasks: " + counts(run));
    lines.add("");
    lines.add(style.bold("What happened"));
    for (int i = 0; i < history.size(); i++) {
      var step = history.get(i);
      var at = Json.time(step, "at");
      lines.add(
          "  %s  %s  %s%s"
              .formatted(
                  at == null ? "" : times.dateTime(at),
                  style.state(text(step, "to")),
                  text(step, "reason") + " (by " + text(step, "actor") + ")",
                  at == null ? "" : lasted(at, i)));
    }
    tasks(lines);
    return lines;
  }

  private String lasted(Instant at, int index) {
    var next = Json.time(history.path(index + 1), "at");
    if (next != null) {
      return style.dim("  for " + Times.exact(Duration.between(at, next)));
    }
    return Json.text(run, "ended_at").isEmpty()
        ? style.dim("  for " + Times.exact(Duration.between(at, times.now())) + " so far")
        : "";
  }

  private Optional<String> waits() {
    String why = WaitText.of(run.path("waiting"), times);
    return why.isEmpty() ? Optional.empty() : Optional.of("waits: " + why);
  }

  /** Nothing for a run that stands for the time of its trigger. */
  private String logicalDate() {
    String date = text(run, "logical_date");
    return date.isEmpty() || date.equals(text(run, "created_at")) ? "" : ", stands for " + date;
  }

  private String took() {
    var from = Json.time(run, "created_at");
    var to = Json.time(run, "ended_at");
    if (from == null) {
      return "";
    }
    return to == null
        ? ", open for " + Times.exact(Duration.between(from, times.now()))
        : ", took " + Times.exact(Duration.between(from, to));
  }

  /** Nothing for the first one. */
  private static String generation(JsonNode of) {
    int generation = of.path("generation").asInt(1);
    return generation > 1 ? ", generation " + generation : "";
  }

  private void tasks(List<String> lines) {
    var table = new Table("ID", "NAME", "STATE", "TOOK", "TRIES", "REASON");
    // The API lists the newest first; people read from the start.
    for (int i = tasks.path("items").size() - 1; i >= 0; i--) {
      var task = tasks.path("items").get(i);
      String state = text(task, "state");
      var from = Json.time(task, "started_at");
      var to = Json.time(task, "ended_at");
      table.add(
          Cell.of(text(task, "id")),
          Cell.of(text(task, "name")),
          new Cell(state, cell -> style.state(state, cell)),
          Cell.of(from == null || to == null ? "-" : Times.exact(Duration.between(from, to))),
          Cell.of(text(task, "attempts") + generation(task)),
          Cell.of(text(task, "reason")));
    }
    if (!table.isEmpty()) {
      lines.add("");
      lines.addAll(table.lines(style));
    }
    if (!tasks.path("next").isNull() && !tasks.path("next").isMissingNode()) {
      lines.add(style.dim("There are more: belay tasks --limit 10000 --run " + text(run, "id")));
    }
  }

  private static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
