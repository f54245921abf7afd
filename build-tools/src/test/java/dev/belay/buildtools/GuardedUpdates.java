package dev.belay.buildtools;

import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds updates of a task or run whose outer WHERE does not check the state. */
final class GuardedUpdates {
  private static final Pattern COMMENT = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern UPDATE =
      Pattern.compile("\\bupdate\\s+(only\\s+)?(\\w+\\.)?(task|run)\\b");
  private static final Pattern WHERE_STATE =
      Pattern.compile("\\bwhere\\b.*\\bstate\\b", Pattern.DOTALL);

  private GuardedUpdates() {}

  static List<String> unguarded(String sql) {
    String plain = COMMENT.matcher(sql).replaceAll(" ").toLowerCase(Locale.ROOT);
    return UPDATE
        .matcher(plain)
        .results()
        .filter(update -> !WHERE_STATE.matcher(outer(plain, update.end())).find())
        .map(MatchResult::group)
        .map(update -> update.replaceAll("\\s+", " ") + " without a state in its WHERE")
        .toList();
  }

  /** The rest of the statement from {@code start}, without the part before its WHERE. */
  private static String outer(String sql, int start) {
    int depth = 0;
    int where = sql.length();
    for (int i = start; i < sql.length(); i++) {
      char c = sql.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth < 0 || c == ';') {
        return sql.substring(Math.min(where, i), i);
      }
      if (depth == 0 && where == sql.length() && sql.startsWith("where", i)) {
        where = i;
      }
    }
    return sql.substring(where);
  }
}
