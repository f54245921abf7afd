package dev.belay.buildtools;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A rule about the text of the project.
 *
 * @param find the violations in a tree of files (path, text), each naming its file
 * @param example a tree that violates the rule: every rule must be able to fail
 */
record HouseRule(
    String name, Function<Map<String, String>, Stream<String>> find, Map<String, String> example) {
  private static final int LINES_MAX = 500;
  private static final Predicate<String> JAVA = matching(".*/src/(main|test)/java/.*\\.java");
  private static final Predicate<String> MAIN = matching(".*/src/main/java/.*\\.java");
  private static final Predicate<String> CODE =
      matching("[^.]*|\\.ci/.*|.*\\.(java|proto|sql|sh|js|css|html)");
  private static final Predicate<String> SQL = matching("store/src/main/resources/sql/.*\\.sql");
  private static final Predicate<String> ANY = matching(".*");

  // Split, so the rules do not match themselves.
  private static final String TO_DO = "TO" + "DO";
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.$~})*-])/(root|home|work)" + "/");
  private static final Pattern REGISTRY =
      Pattern.compile("https?://[^\\s\"'<>/]*(artifactory|nexus|registry|mirror|repo[.1])[^\\s]*");
  private static final Pattern VAGUE_NAME =
      Pattern.compile("\\b(class|interface|record|enum) +\\w*(Manager|Utils?|Helper|Impl)\\b");
  private static final Pattern OPEN_END =
      Pattern.compile("\\b(" + TO_DO + "|FIX" + "ME|XX" + "X)\\b(?! ?\\(#\\d+\\))");

  /** A comment in any of our languages; a page is all comment. */
  private static final String IN_COMMENT = "(?m)(?://|/\\*|^ *\\*|--|^ *#).*?";

  /** A numbered requirement; H2 is a database. */
  private static final String REQUIREMENT = "\\b(?!H2\\b)[A-L][0-9]{1,2}\\b";

  private static final String PLAN =
      "\\b(?:issue #?[0-9]+|DESI"
          + "GN\\b|REQUIRE"
          + "MENTS\\b|WORKFLOW-"
          + "SPEC|seed docu"
          + "ment)";
  private static final Pattern CITED_IN_CODE =
      Pattern.compile(IN_COMMENT + "(?:" + REQUIREMENT + "|" + PLAN + ")");
  private static final Pattern CITED_IN_PAGE = Pattern.compile(REQUIREMENT + "|" + PLAN);

  /** Pages about the plan itself. */
  private static final Predicate<String> OF_THE_PLAN = matching("CHANGELOG.md|docs/STATUS.md");

  /** In a statement, or in a decision that does more than compare. */
  private static final Pattern MAKES_ELIGIBLE =
      Pattern.compile("SET state = 'SCHEDULED'|NULL, 'SCHEDULED'|TaskState\\.SCHEDULED *[,)]");

  /** Inserts a task or run, or sets its state. */
  private static final Pattern CHANGES_STATE =
      Pattern.compile(
          "INSERT INTO (task|run) \\(|UPDATE (task|run)\\s+SET((?!\\bWHERE\\b).)*\\bstate =",
          Pattern.DOTALL);

  private static final Predicate<String> DECIDES =
      matching("(domain|engine|store|server)/src/main/.*\\.(java|sql)");

  static List<HouseRule> all() {
    return List.of(
        eachFile(
            "java is formatted; run build-tools/format",
            JAVA,
            (path, text) -> isFormatted(text) ? "" : "is not",
            Map.of("a/src/main/java/A.java", "class A {\n    int a;\n}\n")),
        eachFile(
            "code files have at most " + LINES_MAX + " lines",
            CODE,
            (path, text) ->
                text.lines().count() <= LINES_MAX ? "" : text.lines().count() + " lines",
            Map.of("a/run", "x\n".repeat(LINES_MAX + 1))),
        new HouseRule(
            "packages say what they are for, in a @NullMarked package-info.java",
            HouseRule::packagesWithoutInfo,
            Map.of("a/src/main/java/b/A.java", "", "a/src/main/java/b/package-info.java", "")),
        eachFile(
            "names say something",
            JAVA,
            finding(VAGUE_NAME),
            Map.of("a/src/main/java/A.java", "record Task" + "Manager() {}")),
        eachFile(
            "open ends name their issue: " + TO_DO + " (#12)",
            CODE,
            finding(OPEN_END),
            Map.of("a/src/main/java/A.java", "// " + TO_DO + ": later")),
        eachFile(
            "no path of one machine",
            ANY,
            finding(MACHINE_PATH),
            Map.of("docs/a.md", "see /ro" + "ot/x")),
        eachFile(
            "no registry's address",
            ANY,
            finding(REGISTRY),
            Map.of("a/pom.xml", "<url>https:/" + "/mirror.example.org/maven2</url>")),
        eachFile(
            "no class is named like a public one of the JDK",
            JAVA,
            (path, text) -> JdkNames.ALL.contains(simpleName(path)) ? "is" : "",
            Map.of("a/src/test/java/b/Arrays.java", "")),
        eachFile(
            "comments cite what is in the repository",
            matching(".*/src/.*\\.(java|proto|sql|sh)"),
            finding(CITED_IN_CODE),
            Map.of("a/src/main/java/A.java", "int a; // as C" + "10 wants")),
        eachFile(
            "pages cite what is in the repository",
            matching("(docs/.*|[A-Z]+)\\.md").and(OF_THE_PLAN.negate()),
            finding(CITED_IN_PAGE),
            Map.of("docs/a.md", "requirement C" + "17")),
        eachFile(
            "statements are named <verb>_<noun>.sql",
            SQL,
            (path, text) -> path.matches(".*/[a-z]+(_[a-z0-9]+)+\\.sql") ? "" : "is not",
            Map.of("store/src/main/resources/sql/Tasks.sql", "")),
        eachFile(
            "tasks become eligible only by domain.admission",
            DECIDES.and(path -> !path.contains("/domain/admission/")),
            finding(MAKES_ELIGIBLE),
            Map.of("engine/src/main/java/A.java", "move(TaskState.SCHEDULED, now);")),
        eachFile(
            "updates of task and run name the state they come from",
            SQL,
            (path, text) -> String.join(", ", GuardedUpdates.unguarded(text)),
            Map.of(
                "store/src/main/resources/sql/end_task.sql",
                "UPDATE task SET state = 'FAILED' WHERE id = :id")),
        eachFile(
            "statements that change the state of a task or run write the change feed",
            SQL,
            (path, text) ->
                CHANGES_STATE.matcher(text).find() && !text.contains("INSERT INTO feed")
                    ? "does not"
                    : "",
            Map.of(
                "store/src/main/resources/sql/end_task.sql",
                "UPDATE task\nSET reason = 'x', state = 'FAILED'\nWHERE state = 'RUNNING'")));
  }

  List<String> violations(Map<String, String> tree) {
    return find.apply(tree).toList();
  }

  @Override
  public String toString() {
    return name;
  }

  /** A rule on single files: {@code judge} returns the fault, or an empty text. */
  private static HouseRule eachFile(
      String name,
      Predicate<String> paths,
      BiFunction<String, String, String> judge,
      Map<String, String> example) {
    return new HouseRule(
        name,
        tree ->
            tree.entrySet().parallelStream()
                .filter(file -> paths.test(file.getKey()))
                .map(
                    file -> {
                      String wrong = judge.apply(file.getKey(), file.getValue());
                      return wrong.isEmpty() ? "" : file.getKey() + ": " + wrong;
                    })
                .filter(line -> !line.isEmpty()),
        example);
  }

  private static BiFunction<String, String, String> finding(Pattern pattern) {
    return (path, text) -> {
      var matcher = pattern.matcher(text);
      if (!matcher.find()) {
        return "";
      }
      long line = 1 + text.substring(0, matcher.start()).chars().filter(c -> c == '\n').count();
      return "line " + line + ": " + matcher.group();
    };
  }

  private static Predicate<String> matching(String regex) {
    return Pattern.compile(regex).asMatchPredicate();
  }

  private static String simpleName(String path) {
    return path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
  }

  private static boolean isFormatted(String text) {
    try {
      return new Formatter().formatSourceAndFixImports(text).equals(text);
    } catch (FormatterException e) {
      return false;
    }
  }

  private static Stream<String> packagesWithoutInfo(Map<String, String> tree) {
    return tree.keySet().stream()
        .filter(MAIN)
        .map(path -> path.substring(0, path.lastIndexOf('/')))
        .distinct()
        .filter(
            folder ->
                !tree.getOrDefault(folder + "/package-info.java", "").contains("@NullMarked"));
  }
}
