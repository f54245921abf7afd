package dev.belay.cli.act;

import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
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
public final class NoteCommand extends ClientCommand {

  @Parameters(index = "0", paramLabel = "TASK", description = "The id of the task.")
  String id;

  @Parameters(index = "1", paramLabel = "TEXT", description = "The note, 1,000 characters at most.")
  String text;

  public NoteCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    id(id);
    try (var client = connect()) {
      var answer =
          client.post(new Query("/tasks/" + id + "/note"), Json.object().put("note", text));
      if (json()) {
        print(answer);
      } else {
        boolean removed = Json.text(answer, "note").isEmpty();
        print("The task %s has %s.".formatted(id, removed ? "no note any more" : "a new note"));
      }
      return ExitCode.OK;
    }
  }
}
