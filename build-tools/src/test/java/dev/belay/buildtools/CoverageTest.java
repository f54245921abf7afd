package dev.belay.buildtools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.Test;

/** Tells how much of all modules the tests of all modules ran; silent in a build without gates. */
class CoverageTest {
  @Test
  void coverage_is_told() throws IOException {
    ExecFileLoader runs = new ExecFileLoader();
    for (Path run : inModules("target/jacoco.exec")) {
      runs.load(run.toFile());
    }
    if (runs.getExecutionDataStore().getContents().isEmpty()) {
      return;
    }
    CoverageBuilder coverage = new CoverageBuilder();
    Analyzer analyzer = new Analyzer(runs.getExecutionDataStore(), coverage);
    for (Path classes : inModules("target/classes/dev/belay")) {
      if (!classes.toString().contains("/protocol/")) {
        analyzer.analyzeAll(classes.toFile());
      }
    }
    ICounter lines = coverage.getBundle("belay").getLineCounter();
    System.out.printf(
        Locale.ROOT,
        "coverage: %.1f %% of %d lines%n",
        100 * lines.getCoveredRatio(),
        lines.getTotalCount());
    assertThat(lines.getTotalCount()).isPositive();
  }

  private static List<Path> inModules(String path) throws IOException {
    try (Stream<Path> modules = Files.list(SourceTree.root())) {
      return modules.map(module -> module.resolve(path)).filter(Files::exists).toList();
    }
  }
}
