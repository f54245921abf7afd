package dev.belay.cli.terminal;

/** The meaning of {@code belay}'s exit status. */
public enum ExitCode {
  OK(0),
  /** The run or task did not succeed, or the server refused the request. */
  FAILED(1),
  /** A bad workflow file or bad arguments; nothing was done. */
  USAGE(2),
  /** A server could not be reached or started. */
  UNREACHABLE(3),
  /** Ended by Ctrl-C. */
  INTERRUPTED(130);

  private final int status;

  ExitCode(int status) {
    this.status = status;
  }

  public int status() {
    return status;
  }
}
