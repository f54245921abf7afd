package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Attaches a note to a task. */
@Command(
    name = "note",
    description = {
      "Attach a note to a task, for other people to read.",
      "A new note replaces the old one; an empty text removes it. `belay task` shows it."
    },
    footer = {"  belay note 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 \"disk of node-7 was full\""})
public final class NoteCommand extends PostCommand {

  @Parameters(index = "0", paramLabel = "TASK", description = "The id of the task.")
  String task;

  @Parameters(index = "1", paramLabel = "TEXT", description = "The note, 1,000 characters at most.")
  String text;

  public NoteCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  Query query() throws CommandFailed {
    return new Query("/tasks/%s/note".formatted(id(task)));
  }

  @Override
  ObjectNode body() {
    return Json.object().put("note", text);
  }

  @Override
  void tell(JsonNode answer) {
    boolean removed = Json.text(answer, "note").isEmpty();
    print("The task %s has %s.".formatted(task, removed ? "no note any more" : "a new note"));
  }
}
