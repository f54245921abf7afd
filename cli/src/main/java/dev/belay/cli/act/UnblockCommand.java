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

/** Resumes a task that is BLOCKED. */
@Command(
    name = "unblock",
    description = {
      "Resume a task that is BLOCKED: it runs again as soon as a worker has room.",
      "Its retries for what was unavailable begin anew."
    },
    footer = {"  belay unblock 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 --note \"the API is back\""})
public final class UnblockCommand extends PostCommand {

  @Parameters(paramLabel = "TASK", description = "The id of the task.")
  String task;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why; the history of the task shows it, 400 characters at most.")
  String note;

  public UnblockCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  Query query() throws CommandFailed {
    return new Query("/tasks/%s/unblock".formatted(id(task)));
  }

  @Override
  ObjectNode body() {
    return note.isBlank() ? Json.object() : Json.object().put("note", note);
  }

  @Override
  void tell(JsonNode answer) {
    print("The task %s will be tried again.".formatted(task));
    note(style.dim("See it: belay task " + task));
  }
}
