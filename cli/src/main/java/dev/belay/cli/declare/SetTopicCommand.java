package dev.belay.cli.declare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.terminal.CommandContext;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Declares a topic. */
@Command(
    name = "set",
    description = {
      "Declare a topic with its pools, or change it.",
      "What the system file declares, only the system file changes."
    },
    footer = {
      "  belay topics set etl.load --pool default --pool batch",
      "  belay topics set etl.load --description \"loads of the night\""
    })
public final class SetTopicCommand extends DeclareCommand {

  @Option(
      names = "--pool",
      paramLabel = "POOL",
      description = "A pool that may run its tasks; replaces those of before.")
  List<String> pools = List.of();

  public SetTopicCommand(CommandContext surroundings) {
    super(surroundings, "topic", List.of("pools"));
  }

  @Override
  void change(ObjectNode body) {
    texts(body, "pools", pools);
  }
}
