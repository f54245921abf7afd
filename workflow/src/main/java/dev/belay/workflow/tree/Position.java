package dev.belay.workflow.tree;

/**
 * A place in a file; line and column count from 1, columns in characters.
 *
 * @param literalBlock whether a literal block of text starts here
 * @param shift from this place to the text: the quote of an inline scalar, the indentation of a
 *     literal block; {@link #UNKNOWN} when the file writes the text in another form
 */
public record Position(int line, int column, boolean literalBlock, int shift) implements Place {

  static final int UNKNOWN = -1;

  public static final Position START = new Position(1, 1);

  Position(int line, int column) {
    this(line, column, false, UNKNOWN);
  }

  @Override
  public long order() {
    return (long) line << 32 | column;
  }

  @Override
  public Position within(String text, int offset) {
    if (shift == UNKNOWN) {
      return this;
    }
    if (!literalBlock) {
      return new Position(line, column + shift + text.codePointCount(0, offset));
    }
    int lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    int linesBefore = (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
    return new Position(line + 1 + linesBefore, shift + text.codePointCount(lineStart, offset) + 1);
  }

  @Override
  public String shown() {
    return "line " + line;
  }
}
