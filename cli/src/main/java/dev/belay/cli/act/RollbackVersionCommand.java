package dev.belay.cli.act;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.Style;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes an earlier version of a workflow the latest again. */
@Command(
    name = "rollback-version",
    description = {
      "Make a new version of a workflow with the content of an earlier one.",
      "Runs keep the version that they were triggered with."
    },
    footer = {"  belay versions etl", "  belay rollback-version etl 3"})
public final class RollbackVersionCommand extends PostCommand {

  @Parameters(index = "0", paramLabel = "NAME", description = "The workflow.")
  String name;

  @Parameters(index = "1", paramLabel = "N", description = "The earlier version.")
  int version;

  @Option(names = "--tenant", paramLabel = "NAME", description = "The workflow's tenant.")
  @Nullable String tenant;

  public RollbackVersionCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  Query query() {
    return new Query("/workflows/" + Query.part(name) + "/rollback").with("tenant", tenant);
  }

  @Override
  ObjectNode body() {
    return Json.object().put("version", version);
  }

  @Override
  void tell(JsonNode answer) {
    var shown = Style.clean(name);
    var latest = Json.text(answer, "version");
    if (answer.path("created").asBoolean()) {
      print("%s version %s has the content of version %d.".formatted(shown, latest, version));
    } else {
      print(
          "Nothing to change: %s version %s has the content of version %d."
              .formatted(shown, latest, version));
    }
    if (answer.path("restored").asBoolean()) {
      note(style.dim("It was deleted, and is back."));
    }
  }
}
