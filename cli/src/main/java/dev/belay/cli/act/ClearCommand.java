package dev.belay.cli.act;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a task again, with those around it. */
@Command(
    name = "clear",
    description = {
      "Run a task that has ended again, and everything after it in its run.",
      "Each task begins a new generation; its attempts, logs and history stay.",
      "A run that has ended waits for its turn again (max_active, pause)."
    },
    footer = {
      "  belay clear 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 --dry-run",
      "  belay clear 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 --note \"new input\"",
      "  belay clear 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 --no-downstream"
    })
public final class ClearCommand extends TaskSteerCommand {

  @Option(names = "--upstream", description = "Also everything that the task depends on.")
  boolean upstream;

  @Option(names = "--no-downstream", description = "Not the tasks after it.")
  boolean noDownstream;

  @Option(names = "--dry-run", description = "Only print which tasks would run again.")
  boolean dryRun;

  public ClearCommand(CommandContext surroundings) {
    super(surroundings, "clear");
  }

  @Override
  ObjectNode body() {
    return super.body()
        .put("upstream", upstream)
        .put("downstream", !noDownstream)
        .put("dry_run", dryRun);
  }
}
