package dev.belay.cli.cluster;

import dev.belay.cli.command.BelayCommand;
import dev.belay.cli.command.OutputFormat;
import dev.belay.cli.terminal.CommandContext;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** A command about the cluster in a folder. */
abstract class FolderCommand extends BelayCommand {

  @Option(
      names = "--dir",
      required = true,
      paramLabel = "FOLDER",
      description = "The cluster's folder, with its data, tokens and logs.")
  Path folder;

  @Option(
      names = {"-o", "--output"},
      order = 90,
      paramLabel = "FORMAT",
      description = "table or json.")
  OutputFormat output = OutputFormat.TABLE;

  FolderCommand(CommandContext surroundings) {
    super(surroundings);
  }

  final boolean json() {
    return output == OutputFormat.JSON;
  }

  final Path path() {
    return folder.toAbsolutePath().normalize();
  }
}
