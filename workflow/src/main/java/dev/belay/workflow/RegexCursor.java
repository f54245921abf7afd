package dev.belay.workflow;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A position in a regular expression, with methods to read there. For one thread. */
final class RegexCursor {

  /** The result of {@link #peek} at the end. */
  static final int END = -1;

  private static final Pattern HEX = Pattern.compile("[0-9A-Fa-f]{2}|\\{0*([0-9A-Fa-f]{1,6})\\}");
  private static final Pattern OCTAL = Pattern.compile("0[0-7]{0,2}|[1-7][0-7]{1,2}");
  private static final int HEX_RADIX = 16;
  private static final int OCTAL_RADIX = 8;
  private static final int ASCII_END = 0x80;

  private final String source;
  private int at;

  RegexCursor(String source) {
    this.source = source;
  }

  int at() {
    return at;
  }

  boolean more() {
    return at < source.length();
  }

  int peek() {
    return more() ? source.codePointAt(at) : END;
  }

  /** Reads one character. */
  int next() {
    int c = peek();
    at += c == END ? 0 : Character.charCount(c);
    return c;
  }

  boolean isAt(String text) {
    return source.startsWith(text, at);
  }

  /** Skips the text if it is next. */
  boolean skip(String text) {
    boolean here = isAt(text);
    at += here ? text.length() : 0;
    return here;
  }

  /** Skips the pattern's match if it is next; null if not. */
  @Nullable MatchResult skip(Pattern pattern) {
    Matcher matcher = pattern.matcher(source).region(at, source.length());
    if (!matcher.lookingAt()) {
      return null;
    }
    at = matcher.end();
    return matcher.toMatchResult();
  }

  /** Reads up to the next occurrence of {@code end}, or all the rest, and skips {@code end}. */
  String until(String end) {
    int found = source.indexOf(end, at);
    String text = source.substring(at, found < 0 ? source.length() : found);
    at = found < 0 ? source.length() : found + end.length();
    return text;
  }

  /** Reads the character that an escape means, after its backslash. */
  int escaped() {
    int from = at - 1;
    int c = peek();
    if (c == END) {
      throw bad(from, "a backslash at the end; write \\\\ for a backslash");
    }
    if (c >= '0' && c <= '9') {
      return octal(from);
    }
    next();
    return switch (c) {
      case 'a' -> '\u0007';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> '\u000b';
      case 'x' -> hex(from);
      default -> {
        if (isAsciiLetter(c)) {
          throw bad(from, "unknown escape \\" + (char) c);
        }
        yield c;
      }
    };
  }

  private int octal(int from) {
    MatchResult digits = skip(OCTAL);
    if (digits == null) {
      throw bad(from, "references such as \\1 are not supported");
    }
    return Integer.parseInt(digits.group(), OCTAL_RADIX);
  }

  private int hex(int from) {
    MatchResult digits = skip(HEX);
    String text = digits == null ? "" : digits.group(1) == null ? digits.group() : digits.group(1);
    int c = text.isEmpty() ? END : Integer.parseInt(text, HEX_RADIX);
    if (!Character.isValidCodePoint(c)) {
      throw bad(from, "write \\x41 or \\x{1F600}");
    }
    return c;
  }

  /** The character as a literal, valid in and outside a class. */
  static String plain(int c) {
    if (isAsciiLetter(c) || (c >= '0' && c <= '9')) {
      return Character.toString(c);
    }
    boolean hasMeaning = c < ASCII_END && !Character.isISOControl(c);
    boolean isSafe =
        c >= ASCII_END && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    return hasMeaning
        ? "\\" + Character.toString(c)
        : isSafe ? Character.toString(c) : "\\x{" + Integer.toHexString(c) + "}";
  }

  private static boolean isAsciiLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  IllegalArgumentException bad(int from, String why) {
    return new IllegalArgumentException(
        "bad regular expression %s at character %d: %s"
            .formatted(ShapeReader.quoted(source), source.codePointCount(0, from) + 1, why));
  }
}
