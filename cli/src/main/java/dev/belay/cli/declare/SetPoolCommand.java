package dev.belay.cli.declare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Declares a pool. */
@Command(
    name = "set",
    description = {
      "Declare a pool, or change what you give of it.",
      "What the system file declares, only the system file changes."
    },
    footer = {
      "  belay pools set gpu --capability gpu --slots 40",
      "  belay pools set gpu --state draining",
      "  belay pools set gpu --slots none --state active"
    })
public final class SetPoolCommand extends DeclareCommand {

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "active, draining (what runs ends, nothing starts) or inactive.")
  @Nullable String state;

  @Option(
      names = "--slots",
      paramLabel = "N|none",
      description = "How many slots its tasks may hold together; none: those of its workers.")
  @Nullable String slots;

  @Option(
      names = "--capability",
      paramLabel = "NAME",
      description = "What each of its workers has; replaces those of before. none: nothing.")
  List<String> capabilities = List.of();

  @Option(
      names = "--strategy",
      paramLabel = "spread|pack",
      description = "Spread tasks over its workers, or pack them on few.")
  @Nullable String strategy;

  public SetPoolCommand(CommandContext surroundings) {
    super(surroundings, "pool", List.of("state", "slots", "capabilities", "strategy"));
  }

  @Override
  void change(ObjectNode body) throws CommandFailed {
    text(body, "state", state);
    number(body, "slots", slots);
    texts(body, "capabilities", capabilities);
    text(body, "strategy", strategy);
  }
}
