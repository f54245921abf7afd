package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.workflow.WorkflowSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the JSON Schema of the workflow file. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of the workflow file, for editors; needs no server.",
    footer = {
      "  belay schema > belay.schema.json",
      "  belay schema --system > belay-system.schema.json"
    })
public final class SchemaCommand extends BelayCommand {

  @Option(names = "--system", description = "The schema of the system file instead.")
  private boolean system;

  public SchemaCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() {
    var schema = system ? WorkflowSchema.systemJson() : WorkflowSchema.json();
    print(schema.stripTrailing());
    return ExitCode.OK;
  }
}
