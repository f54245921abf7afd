package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about the workflow file names every key and its example is valid. */
class DocumentationTest {

  private static String page() throws IOException {
    return java.nio.file.Files.readString(Path.of("..", "docs", "workflow-file.md"));
  }

  @Test
  void the_example_of_the_page_is_valid() throws IOException {
    String page = page();
    int start = page.indexOf("```yaml\n") + "```yaml\n".length();
    ParsedFiles.valid(page.substring(start, page.indexOf("```", start)));
  }

  @Test
  void the_page_names_every_key_and_lists_the_reserved_ones_as_reserved() throws IOException {
    String page = page();
    int reserved = page.indexOf("## Reserved");
    for (Shape.Fields fields : new Shape.Fields[] {Keys.FILE, Keys.TASK}) {
      for (FileKey key : fields.keys()) {
        String part = key.isSupported() ? page.substring(0, reserved) : page.substring(reserved);
        assertThat(part).as(key.name()).containsPattern("`" + key.name() + "[`.]");
      }
    }
  }
}
