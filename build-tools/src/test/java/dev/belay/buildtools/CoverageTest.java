package dev.belay.buildtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.Test;

/**
 * Checks how many lines of a module the tests of all modules ran in a full {@code mvn verify}; a
 * build without gates does not measure this.
 */
class CoverageTest {
  /** The last measured value, in whole percent. It may only rise. */
  private static final Map<String, Integer> PERCENT_MIN =
      Map.of("domain", 97, "engine", 96, "session", 97);

  @Test
  void coverage_does_not_fall() throws IOException {
    assumeTrue(isCounted(), "a build without gates");
    ExecFileLoader runs = new ExecFileLoader();
    for (Path run : inModules("target/jacoco.exec")) {
      runs.load(run.toFile());
    }
    List<String> fallen = new ArrayList<>();
    for (Map.Entry<String, Integer> least : new TreeMap<>(PERCENT_MIN).entrySet()) {
      String module = least.getKey();
      Path classes = SourceTree.root().resolve(module).resolve("target/classes/dev/belay");
      double ratio = lines(runs, classes).getCoveredRatio();
      System.out.printf("coverage of %s: %s %% of its lines%n", module, percent(ratio));
      if (100 * ratio < least.getValue()) {
        fallen.add("%s: %s, not %d".formatted(module, percent(ratio), least.getValue()));
      }
    }
    assertThat(fallen).as("coverage in percent; were the tests of all modules run?").isEmpty();
  }

  private static boolean isCounted() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(argument -> argument.startsWith("-javaagent:") && argument.contains("jacoco"));
  }

  private static ICounter lines(ExecFileLoader runs, Path classes) throws IOException {
    CoverageBuilder coverage = new CoverageBuilder();
    new Analyzer(runs.getExecutionDataStore(), coverage).analyzeAll(classes.toFile());
    return coverage.getBundle("belay").getLineCounter();
  }

  private static String percent(double ratio) {
    return "%.1f".formatted(100 * ratio);
  }

  private static List<Path> inModules(String path) throws IOException {
    try (Stream<Path> modules = Files.list(SourceTree.root())) {
      return modules.map(module -> module.resolve(path)).filter(Files::exists).toList();
    }
  }
}
