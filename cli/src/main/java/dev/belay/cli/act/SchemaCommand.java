package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.workflow.WorkflowSchema;
import picocli.CommandLine.Command;

/** Prints the JSON Schema of the workflow file. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of the workflow file, for editors; needs no server.",
    footer = {"  belay schema > belay.schema.json"})
public final class SchemaCommand extends BelayCommand {

  public SchemaCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() {
    print(WorkflowSchema.json().stripTrailing());
    return ExitCode.OK;
  }
}
