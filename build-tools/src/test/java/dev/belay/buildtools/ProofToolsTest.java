package dev.belay.buildtools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build does not compile the programs of the proofs, so a rename could break them unseen. */
class ProofToolsTest {

  @Test
  void every_program_of_the_proofs_compiles(@TempDir Path out) throws Exception {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null);
        var tools = Files.list(Path.of("..", "proof", "tools"))) {
      for (Path tool : tools.filter(file -> file.toString().endsWith(".java")).sorted().toList()) {
        var messages = new StringWriter();
        var options = List.of("-d", out.toString(), "-cp", System.getProperty("java.class.path"));
        var task =
            compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(tool));
        assertThat(task.call()).as(tool + "\n" + messages).isTrue();
      }
    }
  }
}
