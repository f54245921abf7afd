package dev.belay.cli.command;

/** How a command prints its result. */
public enum OutputFormat {
  /** For people. */
  TABLE,
  /** The objects of the API, unchanged. */
  JSON
}
