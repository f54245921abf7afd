package dev.belay.buildtools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The table of modules in ARCHITECTURE.md, compared with the poms and the architecture rules. */
record ModuleTable(List<Row> rows) {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z-]+)` \\|[^|]*\\| ([^|]*) \\|$");
  private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<artifactId>belay-([a-z-]+)</artifactId><");
  private static final Set<String> NOTHING = Set.of("-", "JDK only");

  /** One module and the modules that the table allows it. */
  record Row(String module, Set<String> mayUse) {}

  static ModuleTable in(String page) {
    return new ModuleTable(
        ROW.matcher(page)
            .results()
            .map(row -> new Row(row.group(1), names(row.group(2))))
            .toList());
  }

  /** The faults in the table of a project, given by the texts of its files. */
  static List<String> problems(Map<String, String> tree, Map<String, Set<String>> mayKnow) {
    ModuleTable table = in(tree.getOrDefault("ARCHITECTURE.md", ""));
    List<String> modules = all(MODULE, tree.getOrDefault("pom.xml", ""));
    List<String> problems = new ArrayList<>();
    if (!table.rows.stream().map(Row::module).sorted().toList().equals(sorted(modules))) {
      problems.add("rows " + table.rows.stream().map(Row::module).toList() + " for " + modules);
    }
    for (Row row : table.rows) {
      Set<String> truth =
          mayKnow.getOrDefault(
              row.module,
              Set.copyOf(all(DEPENDENCY, tree.getOrDefault(row.module + "/pom.xml", ""))));
      if (!row.mayUse.equals(truth)) {
        problems.add(row.module + " may use " + new TreeSet<>(truth) + ", not " + row.mayUse);
      }
    }
    return problems;
  }

  private static Set<String> names(String column) {
    return NOTHING.contains(column)
        ? Set.of()
        : Arrays.stream(column.split(", ")).collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }

  private static List<String> sorted(List<String> names) {
    return names.stream().sorted().toList();
  }
}
