package dev.belay.workflow;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Parses the character classes of a regular expression and counts the cost of building them. For
 * one thread and one expression.
 */
final class RegexClasses {

  private static final Pattern POSIX =
      Pattern.compile(
          "\\[:\\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\\]");
  private static final Pattern PERL = Pattern.compile("[dDsSwW]");
  private static final Pattern UNICODE =
      Pattern.compile("([pP])(?:([A-Za-z])|\\{(\\^?[A-Za-z_]+)\\})");

  /** More than the ranges of a class such as {@code \d} or {@code [:alpha:]}. */
  private static final int GROUP_SIZE = 10;

  /** More than the characters of such a class: all are ASCII. */
  private static final int CASED_GROUP_SIZE = 200;

  /** More than the ranges of any {@code \p{...}}, with the other case of each. */
  private static final int UNICODE_SIZE = 2_000;

  /** If case is ignored, the library visits each character of a range that may have cases. */
  private static final int CASED_MAX = 0x20000;

  /**
   * If case is ignored, the library loops endlessly on these: its tables lack them
   * (https://github.com/google/re2j/issues/168).
   */
  static final int ENDLESS_FIRST = 0x1C80;

  static final int ENDLESS_LAST = 0x1C88;

  private final RegexCursor cursor;
  private boolean ignoresCase;
  private long size;

  RegexClasses(RegexCursor cursor) {
    this.cursor = cursor;
  }

  /** Characters and ranges that the library visits for all classes so far. */
  long size() {
    return size;
  }

  /** Applies from here on; the flag may end later, but the result stays an upper bound. */
  void ignoreCase() {
    ignoresCase = true;
  }

  /** One literal character, in rewritten form. */
  String character(int from, int c) {
    refuseEndless(from, c, c);
    return RegexCursor.plain(c);
  }

  private void refuseEndless(int from, int low, int high) {
    if (ignoresCase && low <= ENDLESS_LAST && high >= ENDLESS_FIRST) {
      throw cursor.bad(
          from,
          "the characters U+1C80 to U+1C88 cannot be used together with (?i); leave them out of a"
              + " range by making it two");
    }
  }

  /** A class such as {@code \d} or {@code \p{Greek}}, after its backslash. */
  String named(int from) {
    MatchResult perl = cursor.skip(PERL);
    if (perl != null) {
      size += ignoresCase ? CASED_GROUP_SIZE : GROUP_SIZE;
      return "\\" + perl.group();
    }
    MatchResult unicode = cursor.skip(UNICODE);
    if (unicode == null) {
      throw cursor.bad(from, "write \\pL or \\p{Greek}");
    }
    size += UNICODE_SIZE;
    String name = unicode.group(2) == null ? unicode.group(3) : unicode.group(2);
    return "\\" + unicode.group(1) + "{" + name + "}";
  }

  /** A class in brackets, after the opening bracket. */
  String bracket(int from) {
    StringBuilder out = new StringBuilder(cursor.skip("^") ? "[^" : "[");
    boolean first = true;
    while (first || cursor.peek() != ']') {
      if (!cursor.more()) {
        throw cursor.bad(from, "this [ has no ]; write \\[ for the character");
      }
      out.append(item());
      first = false;
    }
    cursor.next();
    return out.append(']').toString();
  }

  private String item() {
    int from = cursor.at();
    if (cursor.isAt("[:")) {
      MatchResult posix = cursor.skip(POSIX);
      if (posix == null) {
        throw cursor.bad(
            from, "[: begins a class such as [[:alpha:]]; write \\[: for the characters");
      }
      size += ignoresCase ? CASED_GROUP_SIZE : GROUP_SIZE;
      return posix.group();
    }
    if (cursor.peek() == '\\' && isClassAfterBackslash()) {
      cursor.next();
      return named(from);
    }
    return range(from);
  }

  private boolean isClassAfterBackslash() {
    return "dDsSwWpP".chars().anyMatch(name -> cursor.isAt("\\" + (char) name));
  }

  private String range(int from) {
    int low = character();
    if (!cursor.isAt("-") || cursor.isAt("-]")) {
      size++;
      return character(from, low);
    }
    cursor.next();
    if (!cursor.more()) {
      throw cursor.bad(from, "the range has no end");
    }
    int high = character();
    if (high < low) {
      throw cursor.bad(from, "the range ends before it begins");
    }
    refuseEndless(from, low, high);
    size += ignoresCase ? Math.min(high - low + 1, CASED_MAX) : 1;
    return RegexCursor.plain(low) + "-" + RegexCursor.plain(high);
  }

  private int character() {
    int c = cursor.next();
    return c == '\\' ? cursor.escaped() : c;
  }
}
