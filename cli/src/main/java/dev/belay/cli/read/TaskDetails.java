package dev.belay.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.command.WaitText;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import dev.belay.domain.settle.Signals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes a task's history: each state with its time, duration, reason and worker. */
final class TaskDetails {

  private static final int DETAIL_LINES_MAX = 20;
  private static final String INDENT = "  ";
  private static final int STATE_WIDTH = 12;

  private final JsonNode task;
  private final List<JsonNode> history = new ArrayList<>();
  private final List<JsonNode> attempts = new ArrayList<>();
  private final Map<String, JsonNode> attemptByDispatch = new HashMap<>();
  private final Style style;
  private final Times times;

  TaskDetails(JsonNode task, JsonNode history, JsonNode attempts, Style style, Times times) {
    this.task = task;
    history.path("items").forEach(this.history::add);
    attempts.path("items").forEach(this.attempts::add);
    this.attempts.forEach(a -> attemptByDispatch.put(Json.text(a, "dispatch"), a));
    this.style = style;
    this.times = times;
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    heading(lines);
    if (!history.isEmpty()) {
      lines.add("");
      lines.add(style.bold("What happened"));
      story(lines);
    }
    if (!attempts.isEmpty()) {
      lines.add("");
      lines.add(style.bold("Attempts"));
      attempts.forEach(attempt -> attempt(lines, attempt));
    }
    lines.add("");
    lines.add(style.dim("Its output: belay logs " + text(task, "id")));
    return lines;
  }

  private void heading(List<String> lines) {
    String state = text(task, "state");
    lines.add(
        "%s %s  %s"
            .formatted(
                style.bold("Task " + text(task, "name")), text(task, "id"), style.state(state)));
    if (!text(task, "run").isEmpty()) {
      lines.add(INDENT + "of run " + text(task, "run") + " of workflow " + text(task, "workflow"));
    }
    String pool = text(task, "pool");
    lines.add(
        INDENT
            + "tenant %s, %s, priority %s"
                .formatted(
                    text(task, "tenant"),
                    pool.isEmpty() ? "any pool of its topic" : "pool " + pool,
                    text(task, "priority")));
    limits(lines);
    String waiting = WaitText.of(task.path("waiting"), times);
    if (!waiting.isEmpty()) {
      lines.add(INDENT + style.bold("waits: " + waiting));
    }
    String note = text(task, "note");
    if (!note.isEmpty()) {
      lines.add(INDENT + "note: " + Style.clean(note));
    }
    if (!text(task, "retry_of").isEmpty()) {
      lines.add(INDENT + "retry of the dead letter " + text(task, "retry_of"));
    }
    if (!text(task, "dead_letter").isEmpty()) {
      lines.add(INDENT + "given up: belay dlq show " + text(task, "dead_letter"));
    }
    String work = work(task.path("work"));
    if (!work.isEmpty()) {
      lines.add(INDENT + "does " + work);
    }
  }

  /** Unusual limits, and counts of failures. */
  private void limits(List<String> lines) {
    var said = new ArrayList<String>();
    var deadline = Json.time(task, "deadline_at");
    if (deadline != null) {
      said.add("must have ended by %s %s".formatted(times.date(deadline), times.time(deadline)));
    }
    int generation = task.path("generation").asInt(1);
    if (generation > 1) {
      said.add("generation " + generation);
    }
    if (task.path("strict").asBoolean()) {
      said.add("strict");
    }
    addTries(said, "error_count", "errors");
    addTries(said, "lost_count", "losses of its worker");
    addTries(said, "crash_count", "crashes");
    addTries(said, "unavailable_count", "what it needs was unavailable");
    if (!said.isEmpty()) {
      lines.add(INDENT + String.join(", ", said));
    }
  }

  private void addTries(List<String> said, String field, String after) {
    int tries = task.path(field).asInt(0);
    if (tries > 0) {
      said.add("retries after %s: %d".formatted(after, tries));
    }
  }

  private static String work(JsonNode work) {
    var argv = work.has("argv") ? work.path("argv") : work.path("command");
    if (argv.isArray() && !argv.isEmpty()) {
      var words = new ArrayList<String>();
      argv.forEach(word -> words.add(quoted(word.asText())));
      return Style.shorten(Style.clean(String.join(" ", words)), 200);
    }
    var wait = work.path("wait");
    if (wait.has("for")) {
      return "nothing but wait for " + Style.clean(Json.text(wait, "for"));
    }
    if (wait.has("until")) {
      return "nothing but wait until " + Style.clean(Json.text(wait, "until"));
    }
    String script = Json.text(work, "script");
    return script.isEmpty() ? "" : "a script of " + script.lines().count() + " lines";
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private void story(List<String> lines) {
    @Nullable String day = null;
    for (int i = 0; i < history.size(); i++) {
      var step = history.get(i);
      var at = Json.time(step, "at");
      if (at == null) {
        continue;
      }
      if (!times.date(at).equals(day)) {
        day = times.date(at);
        lines.add(INDENT + style.dim("on " + day));
      }
      String state = text(step, "to");
      lines.add(
          "%s%s  %s  %s%s"
              .formatted(
                  INDENT,
                  times.time(at),
                  style.state(state, state + " ".repeat(Math.max(0, STATE_WIDTH - state.length()))),
                  sentence(step, i),
                  lasted(at, i)));
    }
  }

  private String lasted(Instant at, int index) {
    if (index + 1 < history.size()) {
      var next = Json.time(history.get(index + 1), "at");
      return next == null ? "" : style.dim("  for " + Times.exact(Duration.between(at, next)));
    }
    return Json.text(task, "ended_at").isEmpty()
        ? style.dim("  for " + Times.exact(Duration.between(at, times.now())) + " so far")
        : "";
  }

  private String sentence(JsonNode step, int index) {
    var attempt = attemptByDispatch.get(text(step, "dispatch"));
    String what = what(step, attempt, index);
    String reason = text(step, "reason");
    String actor = text(step, "actor");
    var why = new ArrayList<String>();
    if (!reason.isEmpty() && !what.contains(reason)) {
      why.add(reason);
    }
    if (!actor.isEmpty()) {
      why.add("by " + actor);
    }
    return why.isEmpty() ? what : what + " (" + String.join(", ", why) + ")";
  }

  private String what(JsonNode step, @Nullable JsonNode attempt, int index) {
    String on = attempt == null ? "a worker" : worker(attempt);
    if (text(step, "from").equals(text(step, "to"))) {
      return "remark";
    }
    if (text(step, "reason").startsWith("marked_")) {
      return text(step, "to").equals("PENDING") ? "is on its way to its mark" : "was marked";
    }
    return switch (text(step, "to")) {
      case "WAITING" -> "waits for the tasks it depends on";
      case "PENDING" ->
          index == 0
              ? "was accepted" + startsAt(index)
              : "will be tried again" + notBefore(index) + ended(attempt, ", because it ");
      case "APPROVAL_REQUIRED" -> "waits for a person's approval";
      case "SCHEDULED" -> "waits for a free slot on a worker" + ended(attempt, ", because it ");
      case "DISPATCHED" ->
          "was given to " + on + (attempt == null ? "" : " as attempt " + text(attempt, "number"));
      case "RUNNING" -> "its process started on " + on;
      case "DEFERRED" -> "waits for a time or an event" + until(index);
      case "BLOCKED" -> "is parked until a person resumes it" + ended(attempt, ", because it ");
      case "SUCCEEDED" ->
          text(step, "from").equals("DEFERRED")
              ? "has waited"
              : "did its work" + ended(attempt, ": it ");
      case "FAILED" -> "failed" + ended(attempt, ": it ");
      case "TIMEOUT" -> "exceeded its time limit";
      case "CANCELLED" -> "was cancelled" + ended(attempt, "; its process ");
      case "DENIED" -> "was refused by policy";
      case "OUTPUT_QUARANTINED" -> "did its work, but its output is withheld";
      case "SKIPPED" -> "did not need to run" + ended(attempt, ": it ");
      case "UPSTREAM_FAILED" -> "could not run, because a task it depends on failed";
      default -> "";
    };
  }

  private String notBefore(int index) {
    var at = Json.time(task, "not_before");
    return at == null || index + 1 < history.size() ? "" : " at " + times.time(at);
  }

  private String startsAt(int index) {
    return due(index, ", to start at ");
  }

  private String until(int index) {
    return due(index, ", until ");
  }

  /** Only the last wait is still known. */
  private String due(int index, String before) {
    var at = Json.time(task, "not_before");
    return at == null || index + 1 < history.size()
        ? ""
        : before + times.date(at) + " " + times.time(at);
  }

  private static String ended(@Nullable JsonNode attempt, String prefix) {
    if (attempt == null || Json.time(attempt, "ended_at") == null) {
      return "";
    }
    String end = end(attempt);
    return end.isEmpty() ? "" : prefix + end;
  }

  /** How the process of an attempt ended, if known. */
  private static String end(JsonNode attempt) {
    int signal = attempt.path("signal").asInt(0);
    if (signal > 0) {
      return "was ended by " + Signals.name(signal);
    }
    var code = attempt.path("exit_code");
    return code.isInt() ? "ended with exit code " + code.asInt() : "";
  }

  private void attempt(List<String> lines, JsonNode attempt) {
    var said = new ArrayList<String>();
    said.add("on " + worker(attempt));
    int generation = attempt.path("generation").asInt(1);
    if (generation > 1 || task.path("generation").asInt(1) > 1) {
      said.add("generation " + generation);
    }
    var started = Json.time(attempt, "started_at");
    var ended = Json.time(attempt, "ended_at");
    if (started == null) {
      said.add(ended == null ? "not started yet" : "never started");
    } else {
      said.add("started " + times.time(started) + ", " + ran(attempt, started, ended));
    }
    String end = end(attempt);
    if (!end.isEmpty()) {
      said.add(end);
    }
    String reason = text(attempt, "end_reason");
    addIfSaid(said, "", reason.startsWith("exit_code") ? "" : reason);
    addIfSaid(said, "asked to stop: ", asked(attempt));
    long lost = attempt.path("output_lost").asLong(0);
    addIfSaid(said, "", lost > 0 ? "%,d bytes of its output were lost".formatted(lost) : "");
    addIfSaid(said, "later it reported: ", text(attempt, "late_outcome"));
    lines.add(INDENT + "%s  %s".formatted(text(attempt, "number"), String.join(", ", said)));
    var detail = Json.text(attempt, "detail").lines().map(Style::clean).toList();
    detail.stream()
        .skip(Math.max(0, detail.size() - DETAIL_LINES_MAX))
        .forEach(line -> lines.add(INDENT + INDENT + style.dim("| ") + line));
  }

  private static String asked(JsonNode attempt) {
    String reason = text(attempt, "abort_reason");
    String by = text(attempt, "abort_by");
    String note = text(attempt, "abort_note");
    return reason + (by.isEmpty() ? "" : " by " + by) + (note.isEmpty() ? "" : " (" + note + ")");
  }

  /** The real duration of a lost attempt is unknown. */
  private String ran(JsonNode attempt, Instant started, @Nullable Instant ended) {
    if (ended == null) {
      return "runs for " + Times.exact(Duration.between(started, times.now())) + " so far";
    }
    var heard = Json.time(attempt, "last_heard_at");
    return heard == null
        ? "ran " + Times.exact(Duration.between(started, ended))
        : "last heard of at %s, %s after it started"
            .formatted(times.time(heard), Times.exact(Duration.between(started, heard)));
  }

  private static void addIfSaid(List<String> said, String prefix, String text) {
    if (!text.isEmpty()) {
      said.add(prefix + text);
    }
  }

  private static String worker(JsonNode attempt) {
    String name = text(attempt, "worker_name");
    return name.isEmpty() ? text(attempt, "worker") : name;
  }

  private static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
