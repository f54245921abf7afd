package dev.belay.workflow;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Regular expressions of users. The library compiles repetitions by copying, and works by
 * recursion: {@code (a?){900}b} overflows the stack, {@code ((a{999}){999}){999}} fills the memory.
 * So the size is reckoned before anything is compiled, never too low.
 */
final class Regex {

  /** Parts after repetitions were written out; each is one or a few instructions. */
  static final int PARTS_MAX = 1_000;

  static final int NESTING_MAX = 50;

  private final String source;
  private final Deque<Long> groups = new ArrayDeque<>();
  private long sum;
  private long last;
  private int at;

  private Regex(String source) {
    this.source = source;
  }

  static Pattern compile(String source) {
    new Regex(source).check();
    try {
      return Pattern.compile(source);
    } catch (PatternSyntaxException | StackOverflowError unfit) {
      throw new IllegalArgumentException(
          "bad regular expression " + ShapeReader.quoted(source) + why(unfit), unfit);
    }
  }

  private static String why(Throwable unfit) {
    return unfit instanceof PatternSyntaxException syntax
        ? ": " + syntax.getDescription()
        : ": nested too deeply";
  }

  private void check() {
    while (at < source.length()) {
      char c = source.charAt(at++);
      switch (c) {
        case '\\' -> escape();
        case '[' -> characterClass();
        case '(' -> open();
        case ')' -> close();
        case '{' -> repeat();
        default -> atom(1);
      }
      if (sum > PARTS_MAX) {
        throw tooLarge();
      }
    }
  }

  private void atom(long size) {
    last = size;
    sum += size;
  }

  private void open() {
    if (groups.size() == NESTING_MAX) {
      throw tooLarge();
    }
    groups.push(sum);
    sum = 0;
    last = 0;
  }

  private void close() {
    if (groups.isEmpty()) {
      throw new IllegalArgumentException(
          "bad regular expression " + ShapeReader.quoted(source) + ": a ) without its (");
    }
    long inside = sum + 2;
    sum = groups.pop();
    atom(inside);
  }

  /** Text between \Q and \E means itself, also brackets in it. */
  private void literal() {
    int end = source.indexOf("\\E", at);
    int length = (end < 0 ? source.length() : end) - at;
    at = end < 0 ? source.length() : end + 2;
    atom(length);
    last = 1;
  }

  private void escape() {
    if (at < source.length() && source.charAt(at) == 'Q') {
      at++;
      literal();
      return;
    }
    boolean named = at < source.length() && "pPx".indexOf(source.charAt(at)) >= 0;
    at++;
    if (named && at < source.length() && source.charAt(at) == '{') {
      int end = source.indexOf('}', at);
      at = end < 0 ? source.length() : end + 1;
    }
    atom(1);
  }

  private void characterClass() {
    int from = at;
    if (at < source.length() && source.charAt(at) == '^') {
      at++;
    }
    if (at < source.length() && source.charAt(at) == ']') {
      at++;
    }
    while (at < source.length() && source.charAt(at) != ']') {
      boolean posix = source.startsWith("[:", at) && source.indexOf(":]", at) > 0;
      at = posix ? source.indexOf(":]", at) + 2 : at + (source.charAt(at) == '\\' ? 2 : 1);
    }
    at++;
    // A step tries its ranges one by one, or by halves.
    atom(1 + Math.max(0, Math.min(at, source.length()) - from) / 8);
  }

  private void repeat() {
    int end = source.indexOf('}', at);
    String[] bounds = end < 0 ? new String[0] : source.substring(at, end).split(",", 2);
    long most = 0;
    for (String bound : bounds) {
      if (bound.length() > 4 || !bound.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
        atom(1); // not a repetition: the brace means itself
        return;
      }
      most = Math.max(most, bound.isEmpty() ? 0 : Long.parseLong(bound));
    }
    if (bounds.length == 0) {
      atom(1);
      return;
    }
    at = end + 1;
    long more = last * most + 1;
    sum += more;
    last += more;
  }

  private static IllegalArgumentException tooLarge() {
    return new IllegalArgumentException(
        "the regular expression is too large: at most %d parts after repetitions are written out, and %d groups in each other"
            .formatted(PARTS_MAX, NESTING_MAX));
  }
}
