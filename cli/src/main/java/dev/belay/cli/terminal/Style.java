package dev.belay.cli.terminal;

/**
 * Colours and symbols. They add no information to the text.
 *
 * @param colour whether to use escape sequences
 */
public record Style(boolean colour) {

  private static final String RESET = "\u001b[0m";

  public String bold(String text) {
    return paint("1", text);
  }

  public String dim(String text) {
    return paint("2", text);
  }

  public String red(String text) {
    return paint("31", text);
  }

  /** A state of a task, run or worker in the colour of its kind. */
  public String state(String state) {
    return state(state, state);
  }

  /** Any text in the colour of a state. */
  public String state(String state, String text) {
    return switch (state) {
      case "SUCCEEDED", "CONNECTED" -> paint("32", text);
      case "RUNNING", "DISPATCHED" -> paint("36", text);
      case "FAILED", "TIMEOUT", "DENIED", "UPSTREAM_FAILED", "OUTPUT_QUARANTINED" ->
          paint("31", text);
      case "CANCELLED", "BLOCKED", "APPROVAL_REQUIRED", "DRAINING", "DISCONNECTED" ->
          paint("33", text);
      default -> paint("2", text);
    };
  }

  /** A one-character symbol for a state of a task. */
  public static String symbol(String state) {
    return switch (state) {
      case "SUCCEEDED" -> "✓";
      case "RUNNING" -> "▸";
      case "DISPATCHED" -> "›";
      case "FAILED", "TIMEOUT", "DENIED", "OUTPUT_QUARANTINED" -> "✗";
      case "UPSTREAM_FAILED" -> "!";
      case "CANCELLED" -> "■";
      case "SKIPPED" -> "-";
      default -> "·";
    };
  }

  /** Text from elsewhere on one line, with visible control characters. */
  public static String clean(String text) {
    return Printable.line(text);
  }

  /** At most this many columns of a terminal, with an ellipsis when it was cut. */
  public static String shorten(String text, int max) {
    return Width.cut(text, max);
  }

  private String paint(String code, String text) {
    return colour && !text.isEmpty() ? "\u001b[" + code + "m" + text + RESET : text;
  }
}
