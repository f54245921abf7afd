package dev.belay.workflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The difference of two texts in the unified format, as {@code diff -u} prints it: shortest by
 * Myers' algorithm, unless the texts differ in very many lines. Then their differing middle is
 * replaced as a whole, which bounds time and memory.
 */
public final class UnifiedDiff {

  private static final int CONTEXT = 3;
  private static final int EDITS_MAX = 400;
  private static final int LINES_MAX = 20_000;
  private static final String NO_NEWLINE = "\\ No newline at end of file";

  private UnifiedDiff() {}

  /** Absent when a text has too many lines; "" when they are equal. Lines end with a line feed. */
  public static Optional<String> of(
      String beforeName, String afterName, String before, String after) {
    if (before.equals(after)) {
      return Optional.of("");
    }
    if (hasTooManyLines(before) || hasTooManyLines(after)) {
      return Optional.empty();
    }
    var edits = edits(lines(before), lines(after));
    var diff = new StringBuilder("--- %s\n+++ %s\n".formatted(beforeName, afterName));
    for (int from = next(edits, 0); from < edits.size(); ) {
      int to = endOfHunk(edits, from);
      hunk(edits, Math.max(0, from - CONTEXT), Math.min(edits.size(), to + CONTEXT), diff);
      from = next(edits, to);
    }
    return Optional.of(diff.toString());
  }

  private static boolean hasTooManyLines(String text) {
    return text.chars().filter(c -> c == '\n').limit(LINES_MAX).count() == LINES_MAX;
  }

  /**
   * @param sign ' ', '-' or '+'
   * @param line with its line feed, except at the end of a text without one
   * @param before how many lines of the old text precede it
   * @param after how many lines of the new text precede it
   */
  private record Edit(char sign, String line, int before, int after) {}

  private static int next(List<Edit> edits, int from) {
    int at = from;
    while (at < edits.size() && edits.get(at).sign() == ' ') {
      at++;
    }
    return at;
  }

  /** Changes with at most twice the context between them share a hunk. */
  private static int endOfHunk(List<Edit> edits, int from) {
    int end = from;
    for (int at = from; at < edits.size() && at - end <= 2 * CONTEXT; at++) {
      if (edits.get(at).sign() != ' ') {
        end = at + 1;
      }
    }
    return end;
  }

  private static void hunk(List<Edit> edits, int from, int to, StringBuilder diff) {
    var hunk = edits.subList(from, to);
    var first = hunk.getFirst();
    long removed = hunk.stream().filter(edit -> edit.sign() != '+').count();
    long added = hunk.stream().filter(edit -> edit.sign() != '-').count();
    diff.append(
        "@@ -%s +%s @@\n".formatted(range(first.before(), removed), range(first.after(), added)));
    for (Edit edit : hunk) {
      diff.append(edit.sign()).append(edit.line());
      if (!edit.line().endsWith("\n")) {
        diff.append('\n').append(NO_NEWLINE).append('\n');
      }
    }
  }

  /** An empty range names the line before it. */
  private static String range(int before, long lines) {
    long start = lines == 0 ? before : before + 1L;
    return lines == 1 ? String.valueOf(start) : start + "," + lines;
  }

  private static String[] lines(String text) {
    var lines = new ArrayList<String>();
    for (int from = 0; from < text.length(); ) {
      int feed = text.indexOf('\n', from);
      int to = feed < 0 ? text.length() : feed + 1;
      lines.add(text.substring(from, to));
      from = to;
    }
    return lines.toArray(String[]::new);
  }

  private static List<Edit> edits(String[] before, String[] after) {
    int same = Arrays.mismatch(before, after);
    int most = Math.min(before.length, after.length);
    int prefix = same < 0 ? most : same;
    int suffix = 0;
    while (suffix < most - prefix
        && before[before.length - 1 - suffix].equals(after[after.length - 1 - suffix])) {
      suffix++;
    }
    var edits = new ArrayList<Edit>();
    for (int i = 0; i < prefix; i++) {
      edits.add(new Edit(' ', before[i], i, i));
    }
    new Middle(before, after, prefix, suffix).addTo(edits);
    for (int i = suffix; i > 0; i--) {
      int old = before.length - i;
      edits.add(new Edit(' ', before[old], old, after.length - i));
    }
    return edits;
  }

  /** The lines between the common beginning and the common end. */
  private static final class Middle {
    private final String[] before;
    private final String[] after;
    private final int prefix;
    private final int suffix;

    Middle(String[] before, String[] after, int prefix, int suffix) {
      this.before = before;
      this.after = after;
      this.prefix = prefix;
      this.suffix = suffix;
    }

    private int removed() {
      return before.length - prefix - suffix;
    }

    private int added() {
      return after.length - prefix - suffix;
    }

    void addTo(List<Edit> edits) {
      var trace = new ArrayList<int[]>();
      if (search(trace)) {
        edits.addAll(back(trace));
        return;
      }
      for (int i = 0; i < removed(); i++) {
        edits.add(new Edit('-', before[prefix + i], prefix + i, prefix));
      }
      for (int i = 0; i < added(); i++) {
        edits.add(new Edit('+', after[prefix + i], prefix + removed(), prefix + i));
      }
    }

    /**
     * How far each diagonal gets with 0, 1, 2... edits, until one reaches the end; false when that
     * takes too many. Entry {@code k + EDITS_MAX} of a step is the old line that diagonal k
     * reached.
     */
    private boolean search(List<int[]> trace) {
      int offset = EDITS_MAX + 1;
      var reached = new int[2 * offset + 1];
      for (int edits = 0; edits <= Math.min(EDITS_MAX, removed() + added()); edits++) {
        trace.add(Arrays.copyOfRange(reached, offset - edits - 1, offset + edits + 2));
        for (int k = -edits; k <= edits; k += 2) {
          boolean down =
              k == -edits || (k != edits && reached[offset + k - 1] < reached[offset + k + 1]);
          int x = down ? reached[offset + k + 1] : reached[offset + k - 1] + 1;
          while (x < removed()
              && x - k < added()
              && before[prefix + x].equals(after[prefix + x - k])) {
            x++;
          }
          reached[offset + k] = x;
          if (x >= removed() && x - k >= added()) {
            return true;
          }
        }
      }
      return false;
    }

    private List<Edit> back(List<int[]> trace) {
      var edits = new ArrayList<Edit>();
      int x = removed();
      int y = added();
      for (int step = trace.size() - 1; step >= 0; step--) {
        int[] reached = trace.get(step);
        int middle = step + 1;
        int k = x - y;
        boolean down =
            k == -step || (k != step && reached[middle + k - 1] < reached[middle + k + 1]);
        int fromX = step == 0 ? 0 : reached[middle + (down ? k + 1 : k - 1)];
        int fromY = step == 0 ? 0 : fromX - (down ? k + 1 : k - 1);
        while (x > fromX && y > fromY) {
          x--;
          y--;
          edits.add(new Edit(' ', before[prefix + x], prefix + x, prefix + y));
        }
        if (step > 0) {
          x = fromX;
          y = fromY;
          edits.add(
              down
                  ? new Edit('+', after[prefix + y], prefix + x, prefix + y)
                  : new Edit('-', before[prefix + x], prefix + x, prefix + y));
        }
      }
      Collections.reverse(edits);
      return edits;
    }
  }
}
