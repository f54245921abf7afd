package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;

/** Requests one change from the server and prints the answer. */
abstract class PostCommand extends ClientCommand {

  PostCommand(CommandContext surroundings) {
    super(surroundings);
  }

  abstract Query query() throws CommandFailed;

  ObjectNode body() {
    return Json.object();
  }

  /** Prints the answer for a person. */
  abstract void tell(JsonNode answer);

  @Override
  protected final ExitCode execute() throws CommandFailed {
    var query = query();
    try (var client = connect()) {
      var answer = client.post(query, body());
      if (json()) {
        print(answer);
      } else {
        tell(answer);
      }
      return ExitCode.OK;
    }
  }
}
