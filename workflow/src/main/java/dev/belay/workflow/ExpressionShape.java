package dev.belay.workflow;

/**
 * An expression with its integers and plain texts replaced by placeholders. Types do not depend on
 * them, so expressions of one shape are valid together, and a generated file has few shapes.
 */
final class ExpressionShape {

  /** Longer ones may overflow an integer. */
  private static final int DIGITS_MAX = 18;

  private final String source;
  private final StringBuilder shape = new StringBuilder();
  private int at;

  private ExpressionShape(String source) {
    this.source = source;
  }

  static String of(String source) {
    // Long strings may contain quotes, and escapes may hide them.
    if (source.contains("'''") || source.contains("\"\"\"") || source.indexOf('\\') >= 0) {
      return source;
    }
    return new ExpressionShape(source).shape();
  }

  private String shape() {
    while (at < source.length()) {
      char c = source.charAt(at);
      if (c == '"' || c == '\'') {
        text(c);
      } else if (isWordPart(c)) {
        word();
      } else {
        shape.append(c);
        at++;
      }
    }
    return shape.toString();
  }

  private void text(char quote) {
    int end = source.indexOf(quote, at + 1);
    int newline = source.indexOf('\n', at + 1);
    if (end < 0 || (newline >= 0 && newline < end)) {
      shape.append(source, at, source.length());
      at = source.length();
      return;
    }
    shape.append(quote).append(quote);
    at = end + 1;
  }

  /** A name, or a number with all its parts: {@code 1.5e3}, {@code 0x1f}, {@code 7u}. */
  private void word() {
    int from = at;
    while (at < source.length() && isWordPart(source.charAt(at))) {
      at++;
    }
    String word = source.substring(from, at);
    boolean whole =
        word.length() <= DIGITS_MAX && word.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    shape.append(whole ? "1" : word);
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.';
  }
}
