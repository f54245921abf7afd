package dev.belay.cli.act;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Changes the priority of a task. */
@Command(
    name = "priority",
    description = {
      "Change the priority of an open task, from 1 to 100; higher ones start sooner.",
      "A task that runs keeps running; its next attempt has the new priority."
    },
    footer = {"  belay priority 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 90"})
public final class PriorityCommand extends TaskSteerCommand {

  @Parameters(index = "1", paramLabel = "N", description = "The priority, from 1 to 100.")
  int priority;

  public PriorityCommand(CommandContext surroundings) {
    super(surroundings, "priority");
  }

  @Override
  ObjectNode body() {
    return super.body().put("priority", priority);
  }
}
