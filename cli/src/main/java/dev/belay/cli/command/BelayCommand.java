package dev.belay.cli.command;

import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command with help. Its result is the exit status. */
@Command(
    descriptionHeading = "%n",
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nArguments:%n",
    footerHeading = "%nExamples:%n",
    usageHelpAutoWidth = true,
    sortOptions = false)
public abstract class BelayCommand implements Callable<Integer> {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      order = 99,
      description = "Show this help.")
  boolean help;

  protected final CommandContext surroundings;
  protected final Style style;
  protected final Times times;

  protected BelayCommand(CommandContext surroundings) {
    this.surroundings = surroundings;
    this.style = surroundings.style();
    this.times = surroundings.times();
  }

  @Override
  public final Integer call() throws CommandFailed {
    return execute().status();
  }

  protected abstract ExitCode execute() throws CommandFailed;

  protected final void print(String line) {
    surroundings.out().println(line);
  }

  protected final void printAll(Iterable<String> lines) {
    lines.forEach(this::print);
  }

  /** Prints a line for people that scripts should not read. */
  protected final void note(String line) {
    surroundings.err().println(line);
  }
}
