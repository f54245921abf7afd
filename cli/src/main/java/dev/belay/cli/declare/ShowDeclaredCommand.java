package dev.belay.cli.declare;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.command.Warnings;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import java.util.ArrayList;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one pool, topic or tenant. */
public abstract class ShowDeclaredCommand extends ClientCommand {

  @Parameters(paramLabel = "NAME", description = "Its name.")
  String name;

  private final String kind;

  ShowDeclaredCommand(CommandContext surroundings, String kind) {
    super(surroundings);
    this.kind = kind;
  }

  @Override
  protected final ExitCode execute() throws CommandFailed {
    try (var client = connect()) {
      var found = client.fetch(new Query("/" + kind + "s/" + Query.part(name)));
      if (json()) {
        print(found);
        return ExitCode.OK;
      }
      for (Map.Entry<String, JsonNode> field : found.properties()) {
        if (!field.getKey().equals("warnings") && !field.getValue().isNull()) {
          print(
              "%-14s %s"
                  .formatted(
                      field.getKey().replace('_', ' '), Style.clean(shown(field.getValue()))));
        }
      }
      Warnings.of(found).forEach(this::note);
      return ExitCode.OK;
    }
  }

  private static String shown(JsonNode value) {
    if (value.isArray()) {
      var items = new ArrayList<String>();
      value.forEach(item -> items.add(item.asText()));
      return items.isEmpty() ? "-" : String.join(", ", items);
    }
    return value.isObject()
        ? value.path("max").asText() + " in " + value.path("per").asText()
        : value.asText();
  }

  /** Shows a pool. */
  @Command(
      name = "show",
      description = "Show a pool: what is declared of it, and its workers.",
      footer = {"  belay pools show gpu", "  belay pools show gpu -o json"})
  public static final class Pool extends ShowDeclaredCommand {
    public Pool(CommandContext surroundings) {
      super(surroundings, "pool");
    }
  }

  /** Shows a topic. */
  @Command(
      name = "show",
      description = "Show a topic and its pools.",
      footer = {"  belay topics show etl.load", "  belay topics show etl.load -o json"})
  public static final class Topic extends ShowDeclaredCommand {
    public Topic(CommandContext surroundings) {
      super(surroundings, "topic");
    }
  }

  /** Shows a tenant. */
  @Command(
      name = "show",
      description = "Show a tenant's share and limits.",
      footer = {"  belay tenants show data", "  belay tenants show data -o json"})
  public static final class Tenant extends ShowDeclaredCommand {
    public Tenant(CommandContext surroundings) {
      super(surroundings, "tenant");
    }
  }
}
