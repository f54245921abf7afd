package dev.belay.cli.act;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.terminal.CommandContext;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Decides how a task ended. */
@Command(
    name = "mark",
    description = {
      "Give a task the end SUCCEEDED or FAILED, whatever its state; its run goes on from there.",
      "The process of a task that runs is asked to end first; if it has succeeded by then, it did."
    },
    footer = {
      "  belay mark 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 --success --note \"loaded by hand\"",
      "  belay mark 01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11 --failed"
    })
public final class MarkCommand extends TaskSteerCommand {

  /** One of them. */
  static final class End {
    @Option(names = "--success", required = true, description = "It is SUCCEEDED.")
    boolean success;

    @Option(names = "--failed", required = true, description = "It is FAILED.")
    boolean failed;
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  End end = new End();

  public MarkCommand(CommandContext surroundings) {
    super(surroundings, "mark");
  }

  @Override
  ObjectNode body() {
    return super.body().put("as", end.success ? "succeeded" : "failed");
  }
}
