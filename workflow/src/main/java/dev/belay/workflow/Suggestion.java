package dev.belay.workflow;

import java.util.Collection;
import java.util.Optional;

/** Finds the name that the user probably meant: at most one edit per three typed characters. */
public final class Suggestion {

  /** Comparing this many whole names is still fast. */
  private static final int CANDIDATES_MAX = 10_000;

  private Suggestion() {}

  /** {@code "; did you mean 'x'?"}, or the fallback. */
  static String after(String typed, Collection<String> known, String otherwise) {
    return nearest(typed, known)
        .map(name -> "; did you mean '%s'?".formatted(name))
        .orElse(otherwise);
  }

  public static Optional<String> nearest(String typed, Collection<String> known) {
    int best = typed.length() / 3 + 1;
    String nearest = null;
    int compared = 0;
    for (String name : known) {
      if (++compared > CANDIDATES_MAX) {
        break;
      }
      int distance = distance(typed, name, best);
      if (distance < best) {
        best = distance;
        nearest = name;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** Number of edits, a swap of neighbours being one; {@code limit} if there are more. */
  private static int distance(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) >= limit) {
      return limit;
    }
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      int least = i;
      for (int j = 1; j <= b.length(); j++) {
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + same);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
        least = Math.min(least, row[j]);
      }
      if (least >= limit) {
        return limit;
      }
      int[] spare = beforeLast;
      beforeLast = last;
      last = row;
      row = spare;
    }
    return last[b.length()];
  }
}
