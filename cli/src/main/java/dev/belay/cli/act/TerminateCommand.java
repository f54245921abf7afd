package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends a task for a reason. */
@Command(
    name = "terminate",
    description = {
      "End a task for a reason, which decides what the task becomes.",
      "A process that runs gets SIGTERM. The first reason of an attempt stands.",
      "",
      "  cancelled               CANCELLED (this is belay cancel)",
      "  graceful_shutdown       SCHEDULED: it runs again, perhaps elsewhere",
      "  cooperative_preemption  SCHEDULED",
      "  preemption_timeout      SCHEDULED",
      "  cost_limit_reached      BLOCKED, until belay unblock",
      "  hard_cap_exceeded       FAILED, with an alert"
    },
    footer = {
      "  belay terminate 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11",
      "  belay terminate 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 \\",
      "        --reason graceful_shutdown --note \"node-7 needs a new disk\""
    })
public final class TerminateCommand extends PostCommand {

  @Parameters(paramLabel = "TASK", description = "The id of the task.")
  String task;

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      defaultValue = "cancelled",
      description = "Why it ends: one of the words above (default: ${DEFAULT-VALUE}).")
  String reason;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "More about it; the history of the task shows it, 400 characters at most.")
  String note;

  public TerminateCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  Query query() throws CommandFailed {
    return new Query("/tasks/%s/terminate".formatted(id(task)));
  }

  @Override
  ObjectNode body() {
    var body = Json.object().put("reason", reason);
    return note.isBlank() ? body : body.put("note", note);
  }

  @Override
  void tell(JsonNode answer) {
    print(
        switch (Json.text(answer, "answer")) {
          case "done" -> "The task %s is %s.".formatted(task, Json.text(answer, "state"));
          case "already_asked" ->
              "The task %s was already asked to end: %s.".formatted(task, reason);
          default -> "The worker of the task %s is told to end it: %s.".formatted(task, reason);
        });
    note(style.dim("See it: belay task " + task));
  }
}
