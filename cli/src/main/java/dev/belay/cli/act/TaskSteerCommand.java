package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Requests a change of one task, and prints what happened to which tasks. */
abstract class TaskSteerCommand extends PostCommand {

  @Parameters(index = "0", paramLabel = "TASK", description = "The id of the task.")
  String task;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why; the history of the task shows it, 400 characters at most.")
  String note;

  private final String action;

  /**
   * @param action the last part of the path
   */
  TaskSteerCommand(CommandContext surroundings, String action) {
    super(surroundings);
    this.action = action;
  }

  @Override
  Query query() throws CommandFailed {
    return new Query("/tasks/%s/%s".formatted(id(task), action));
  }

  @Override
  ObjectNode body() {
    return note.isBlank() ? Json.object() : Json.object().put("note", note);
  }

  @Override
  void tell(JsonNode answer) {
    SteerText.of(answer, task).forEach(this::print);
    note(style.dim("See it: belay task " + task));
  }
}
