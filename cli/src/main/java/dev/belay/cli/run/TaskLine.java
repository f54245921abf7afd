package dev.belay.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.command.TaskLog;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.time.Duration;

/** The facts about a task in one line, without its name and state. */
final class TaskLine {

  private TaskLine() {}

  static String facts(JsonNode task, Times times) {
    var facts = new StringBuilder();
    String state = Json.text(task, "state");
    if (RunView.isActive(task)) {
      facts.append(" on ").append(Style.clean(Json.text(task, "worker_name")));
    }
    var started = Json.time(task, "started_at");
    var ended = Json.time(task, "ended_at");
    if (started != null && ended != null && !RunView.isLost(task)) {
      facts.append(" in ").append(Times.exact(Duration.between(started, ended)));
    }
    if (task.path("attempts").asInt() > 1) {
      facts.append(", attempt ").append(task.path("attempts").asInt());
    }
    if (!RunView.isActive(task) && !state.equals("SUCCEEDED") && !state.equals("SCHEDULED")) {
      facts.append(": ").append(Style.clean(Json.text(task, "reason")));
    }
    var notBefore = Json.time(task, "not_before");
    if (!TaskLog.isTerminal(task) && notBefore != null && notBefore.isAfter(times.now())) {
      boolean tried = task.path("attempts").asInt() > 0;
      facts.append(tried ? ", next try at " : ", until ").append(times.time(notBefore));
    }
    if (RunView.isFailure(task)) {
      facts.append(" (belay logs ").append(Json.text(task, "id")).append(')');
    }
    return facts.toString();
  }

  /** How long it ran or has been running; empty when it never did. */
  static String time(JsonNode task, Times times) {
    var started = Json.time(task, "started_at");
    if (started == null || RunView.isLost(task)) {
      return "";
    }
    var ended = Json.time(task, "ended_at");
    return ended != null
        ? Times.exact(Duration.between(started, ended))
        : RunView.isActive(task) ? Times.running(Duration.between(started, times.now())) : "";
  }
}
