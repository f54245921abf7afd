package dev.belay.buildtools;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rules about the proofs, {@code proof/CAPABILITY/NAME.sh}, and the pages that name them. */
final class ProofRules {
  private static final Pattern PROOF = Pattern.compile("proof/([^/]+)/([^/]+)\\.sh");
  private static final Predicate<String> PAGE = Pattern.compile(".*\\.md").asMatchPredicate();
  private static final String STATUS = "docs/STATUS.md";

  /** {@code ./belay prove --list} prints the second and the third line. */
  private static final Pattern HEAD =
      Pattern.compile("(?s)#!/usr/bin/env bash\n# [^\n]{10,120}\\.\n# takes: about \\d+ min\n.*");

  /** Up to the end of the command: a backtick, a comment or the line's end. */
  private static final Pattern COMMAND = Pattern.compile("\\./belay prove\\b([^`#\n]*)");

  private static final Pattern OPTION =
      Pattern.compile("--at \\S+|(-o|--output) \\S+|--list|--all|--help");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\[?[A-Z]+(\\.\\.\\.)?]?");

  private ProofRules() {}

  static List<HouseRule> all() {
    return List.of(
        new HouseRule(
            "a proof says in line 2 what it shows and in line 3 how long it takes",
            ProofRules::withoutHead,
            Map.of("proof/recovery/a.sh", "#!/usr/bin/env bash\n# It shows something.\nexit 0\n")),
        new HouseRule(
            "the name of a proof means one proof",
            ProofRules::ambiguous,
            Map.of("proof/recovery/a.sh", "", "proof/limits/a.sh", "")),
        new HouseRule(
            "pages name proofs that exist",
            ProofRules::unknown,
            Map.of("proof/recovery/a.sh", "", "a.md", "Run `./belay prove a recovery/b`.")),
        new HouseRule(
            STATUS + " names every proof",
            ProofRules::missingInStatus,
            Map.of("proof/recovery/a.sh", "", STATUS, "`./belay prove recovery`")));
  }

  private static Stream<String> withoutHead(Map<String, String> tree) {
    return proofs(tree).filter(path -> !HEAD.matcher(tree.getOrDefault(path, "")).matches());
  }

  private static Stream<String> ambiguous(Map<String, String> tree) {
    Set<String> taken = new HashSet<>();
    proofs(tree).map(ProofRules::capability).forEach(taken::add);
    return proofs(tree).filter(path -> !taken.add(name(path)));
  }

  private static Stream<String> unknown(Map<String, String> tree) {
    Set<String> known = new HashSet<>();
    proofs(tree)
        .forEach(
            path -> {
              known.add(capability(path));
              known.add(name(path));
              known.add(capability(path) + "/" + name(path));
            });
    return tree.keySet().stream()
        .filter(PAGE)
        .flatMap(
            page ->
                names(tree.getOrDefault(page, ""))
                    .filter(name -> !known.contains(name))
                    .map(name -> page + ": ./belay prove " + name));
  }

  private static Stream<String> missingInStatus(Map<String, String> tree) {
    Set<String> named = new HashSet<>(names(tree.getOrDefault(STATUS, "")).toList());
    return proofs(tree)
        .filter(path -> !named.contains(name(path)))
        .filter(path -> !named.contains(capability(path) + "/" + name(path)));
  }

  /** The names in all commands of a page, without options and placeholders. */
  private static Stream<String> names(String page) {
    return COMMAND
        .matcher(page)
        .results()
        .map(command -> OPTION.matcher(command.group(1)).replaceAll("").strip())
        .flatMap(words -> Arrays.stream(words.split("\\s+")))
        .filter(word -> !word.isEmpty() && !PLACEHOLDER.matcher(word).matches());
  }

  private static Stream<String> proofs(Map<String, String> tree) {
    return tree.keySet().stream().filter(PROOF.asMatchPredicate()).sorted();
  }

  private static String capability(String path) {
    return PROOF.matcher(path).replaceAll("$1");
  }

  private static String name(String path) {
    return PROOF.matcher(path).replaceAll("$2");
  }
}
