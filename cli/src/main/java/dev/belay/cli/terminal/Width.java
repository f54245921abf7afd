package dev.belay.cli.terminal;

/**
 * How many columns of a terminal a text takes: East Asian letters and pictures take two, combining
 * marks none. Terminals differ by a column or two.
 */
public final class Width {

  private Width() {}

  /** For text without control characters. */
  public static int of(String text) {
    int width = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      width += of(text.codePointAt(i));
    }
    return width;
  }

  /** At most this many columns, with an ellipsis when it was cut. */
  public static String cut(String text, int max) {
    if (of(text) <= max) {
      return text;
    }
    if (max <= 0) {
      return "";
    }
    int width = 0;
    int end = 0;
    while (end < text.length()) {
      int next = text.codePointAt(end);
      if (width + of(next) > max - 1) {
        break;
      }
      width += of(next);
      end += Character.charCount(next);
    }
    return text.substring(0, end) + "…";
  }

  private static int of(int point) {
    if (point < 0x300) {
      return 1;
    }
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> isWide(point) ? 2 : 1;
    };
  }

  /** Unicode's wide blocks, and the pictures. */
  private static boolean isWide(int point) {
    return (point >= 0x1100 && point <= 0x115F)
        || (point >= 0x2E80 && point <= 0x303E)
        || (point >= 0x3041 && point <= 0xA4CF)
        || (point >= 0xA960 && point <= 0xA97F)
        || (point >= 0xAC00 && point <= 0xD7A3)
        || (point >= 0xF900 && point <= 0xFAFF)
        || (point >= 0xFE30 && point <= 0xFE6F)
        || (point >= 0xFF00 && point <= 0xFF60)
        || (point >= 0xFFE0 && point <= 0xFFE6)
        || (point >= 0x1F300 && point <= 0x1FAFF)
        || (point >= 0x20000 && point <= 0x3FFFD);
  }
}
