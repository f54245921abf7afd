package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every example of the project, run by a lite of its own. */
@Execution(ExecutionMode.CONCURRENT)
class ExamplesTest {

  private static final Path EXAMPLES = Path.of("..", "examples");

  @TempDir Path home;

  @Test
  void every_example_succeeds() throws Exception {
    var shell = new Shell(home).home(home.resolve("data"));
    try (var lite = new BelayProcess(home, shell.env, "lite", "--port", "0").awaitOut("ready at")) {
      try (var files = Files.list(EXAMPLES)) {
        for (Path example : files.sorted().toList()) {
          try (var run = new BelayProcess(home, shell.env, "run", example.toString())) {
            assertThat(run.awaitExit()).as(example + "\n" + run.out() + run.err()).isZero();
            assertThat(run.out()).contains("SUCCEEDED");
          }
        }
      }
      lite.signal("TERM");
      assertThat(lite.awaitExit()).as(lite.err()).isZero();
    }
    shell.unlink();
  }
}
