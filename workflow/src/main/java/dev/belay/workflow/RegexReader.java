package dev.belay.workflow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses RE2 syntax, counts the parts, and rewrites the expression in an unambiguous form ({@link
 * Regex}). It refuses unknown syntax. For one thread and one expression.
 */
final class RegexReader {

  private static final Pattern COUNTS =
      Pattern.compile("(0|[1-9][0-9]*+)(?:(,)(0|[1-9][0-9]*+)?)?\\}");
  private static final Pattern FLAGS = Pattern.compile("(?=[^:)])([imsU]*)(?:-[imsU]+)?([:)])");
  private static final Pattern NAME = Pattern.compile("P?<([A-Za-z0-9_]+)>");
  private static final int COUNT_MAX = 1_000;
  private static final int COUNT_DIGITS_MAX = 4;

  private final String source;
  private final RegexCursor cursor;
  private final RegexClasses classes;
  private final StringBuilder out = new StringBuilder();

  /** The enclosing groups of the current one, innermost first. */
  private final Deque<Group> around = new ArrayDeque<>();

  private final Set<String> names = new HashSet<>();
  private Group group = new Group(0, 0);
  private @Nullable Atom last;

  /** Why nothing can be repeated here, when {@link #last} is null. */
  private String unrepeatable = "there is nothing before it to repeat";

  /** An open group. */
  private static final class Group {
    final int from;
    final int start;
    long parts;
    boolean alternativeIsEmpty = true;

    /**
     * @param from its start in the source
     * @param start its start in the rewritten text
     */
    Group(int from, int start) {
      this.from = from;
      this.start = start;
    }
  }

  /** The target of a following repeat, with its start in the rewritten text. */
  private record Atom(int start, long parts) {}

  RegexReader(String source) {
    this.source = source;
    this.cursor = new RegexCursor(source);
    this.classes = new RegexClasses(cursor);
  }

  Regex read() {
    if (source.length() > Regex.CHARS_MAX) {
      throw tooLarge();
    }
    while (cursor.more()) {
      readOne();
      if (group.parts > Regex.PARTS_MAX) {
        throw tooLarge();
      }
      if (classes.size() > Regex.CLASS_SIZE_MAX) {
        throw classesTooLarge();
      }
    }
    if (!around.isEmpty()) {
      throw cursor.bad(group.from, "this ( has no )");
    }
    endAlternative();
    return new Regex(source, out.toString(), group.parts, classes.size());
  }

  private void readOne() {
    int from = cursor.at();
    int c = cursor.next();
    switch (c) {
      case '(' -> open(from);
      case ')' -> close(from);
      case '|' -> {
        endAlternative();
        group.parts++;
        out.append('|');
        nothingToRepeat("there is nothing before it to repeat");
      }
      case '[' -> atom(classes.bracket(from));
      case '\\' -> escape(from);
      case '^', '$', '.' -> atom(Character.toString(c));
      case '*' -> repeat(from, "*", 1, 2);
      case '+', '?' -> repeat(from, Character.toString(c), 1, 1);
      case '{' -> brace(from);
      default -> literal(from, c);
    }
  }

  private void literal(int from, int c) {
    atom(classes.character(from, c));
  }

  /** Adds one part of a program. */
  private void atom(String text) {
    int start = out.length();
    out.append(text);
    add(new Atom(start, 1));
  }

  private void add(Atom atom) {
    group.parts += atom.parts();
    group.alternativeIsEmpty = false;
    last = atom;
  }

  private void nothingToRepeat(String why) {
    last = null;
    unrepeatable = why;
  }

  /** An empty alternative or group also counts as a part. */
  private void endAlternative() {
    group.parts += group.alternativeIsEmpty ? 1 : 0;
    group.alternativeIsEmpty = true;
  }

  private void open(int from) {
    if (!cursor.skip("?") || cursor.skip(":")) {
      open(from, "(?:");
      return;
    }
    MatchResult name = cursor.skip(NAME);
    if (name == null) {
      flags(from);
      return;
    }
    if (!names.add(name.group(1))) {
      throw cursor.bad(from, "a second group with the name " + name.group(1));
    }
    open(from, "(?:");
  }

  private void open(int from, String text) {
    if (around.size() == Regex.NESTING_MAX) {
      throw tooLarge();
    }
    around.push(group);
    group = new Group(from, out.length());
    out.append(text);
    nothingToRepeat("there is nothing before it to repeat");
  }

  private void flags(int from) {
    MatchResult flags = cursor.skip(FLAGS);
    if (flags == null) {
      throw cursor.bad(
          from,
          "known are (?:...), (?P<name>...), (?i), (?m), (?s), (?U) and the like; nothing looks"
              + " ahead or behind");
    }
    if (flags.group(1).indexOf('i') >= 0) {
      classes.ignoreCase();
    }
    if (flags.group(2).equals(":")) {
      open(from, "(?" + flags.group());
      return;
    }
    out.append("(?").append(flags.group());
    nothingToRepeat("flags such as (?i) cannot be repeated; write them before the part");
  }

  private void close(int from) {
    if (around.isEmpty()) {
      throw cursor.bad(from, "a ) without its (; write \\) for the character");
    }
    endAlternative();
    Group closed = group;
    out.append(')');
    group = around.pop();
    add(new Atom(closed.start, closed.parts));
  }

  private void escape(int from) {
    switch (cursor.peek()) {
      case 'A', 'b', 'B', 'z' -> atom("\\" + (char) cursor.next());
      case 'd', 'D', 's', 'S', 'w', 'W', 'p', 'P' -> atom(classes.named(from));
      case 'Q' -> {
        cursor.next();
        nothingToRepeat("\\Q\\E is empty");
        cursor.until("\\E").codePoints().forEach(c -> literal(from, c));
      }
      default -> literal(from, cursor.escaped());
    }
  }

  /** A brace that begins no count is a literal. */
  private void brace(int from) {
    MatchResult counts = cursor.skip(COUNTS);
    if (counts == null) {
      literal(from, '{');
      return;
    }
    int least = count(from, counts.group(1));
    boolean open = counts.group(2) != null && counts.group(3) == null;
    int most = counts.group(3) == null ? least : count(from, counts.group(3));
    if (most < least) {
      throw cursor.bad(from, "the first number of a repeat is larger than the second");
    }
    // Each optional copy takes one more part; a loop takes up to two.
    repeat(from, "{" + counts.group(), Math.max(1, most), open ? 2 : most - least);
  }

  private int count(int from, String digits) {
    if (digits.length() > COUNT_DIGITS_MAX || Integer.parseInt(digits) > COUNT_MAX) {
      throw cursor.bad(from, "a part can be repeated at most " + COUNT_MAX + " times");
    }
    return Integer.parseInt(digits);
  }

  private void repeat(int from, String operator, int copies, int more) {
    Atom repeated = last;
    if (repeated == null) {
      throw cursor.bad(
          from, unrepeatable + "; write \\" + operator.charAt(0) + " for the character");
    }
    out.insert(repeated.start(), "(?:");
    out.append(')').append(operator).append(cursor.skip("?") ? "?" : "");
    group.parts += repeated.parts() * (copies - 1) + more;
    nothingToRepeat("a repeat cannot be repeated; put the first one in a group: (?:a{2}){3}");
  }

  private static IllegalArgumentException tooLarge() {
    return new IllegalArgumentException(
        "the regular expression is too large: at most %d characters, %d parts after repetitions are written out, and %d groups in each other"
            .formatted(Regex.CHARS_MAX, Regex.PARTS_MAX, Regex.NESTING_MAX));
  }

  private static IllegalArgumentException classesTooLarge() {
    return new IllegalArgumentException(
        "the classes of the regular expression are too large: leave out wide ranges together with"
            + " (?i), or some \\p{...}");
  }
}
