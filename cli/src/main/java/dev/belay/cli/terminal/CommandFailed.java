package dev.belay.cli.terminal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command failed. The message says what happened, to which thing, and what to do next. The lines,
 * if any, are printed before it, unchanged.
 */
public class CommandFailed extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;
  private final transient List<String> lines;

  public CommandFailed(ExitCode exitCode, String message) {
    this(exitCode, message, List.of(), null);
  }

  public CommandFailed(ExitCode exitCode, String message, @Nullable Throwable cause) {
    this(exitCode, message, List.of(), cause);
  }

  public CommandFailed(
      ExitCode exitCode, String message, List<String> lines, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
    this.lines = List.copyOf(lines);
  }

  public static CommandFailed interrupted() {
    Thread.currentThread().interrupt();
    return new CommandFailed(ExitCode.INTERRUPTED, "Interrupted.");
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  public List<String> lines() {
    return lines;
  }
}
