package dev.belay.cli.act;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.command.Version;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.ExitCode;
import picocli.CommandLine.Command;

/** Prints the version. */
@Command(
    name = "version",
    description = "Print the version of this command; `belay info` shows the server's.",
    footer = {"  belay version"})
public final class VersionCommand extends BelayCommand {

  public VersionCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() {
    print(
        "belay %s (Java %s, %s %s)"
            .formatted(
                Version.current(),
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                System.getProperty("os.arch")));
    return ExitCode.OK;
  }
}
