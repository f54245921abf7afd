package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the page about the workflow file names every key and that its example is valid. */
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
      for (FileKey key : fields.keys().values()) {
        if (key.isSupported()) {
          assertThat(page.substring(0, reserved)).containsPattern("`" + key.name() + "[`.]");
        }
      }
    }
    assertThat(listed(page, "- in the file: ")).isEqualTo(reserved(Keys.FILE));
    assertThat(listed(page, "- in a task: ")).isEqualTo(reserved(Keys.TASK));
    assertThat(listed(page, "- in the system file: ")).isEqualTo(reserved(Keys.SYSTEM));
  }

  /** The words in backticks on one line. */
  private static List<String> listed(String page, String begin) {
    String line = page.lines().filter(each -> each.startsWith(begin)).findFirst().orElse("");
    return Pattern.compile("`([^`]+)`").matcher(line).results().map(m -> m.group(1)).toList();
  }

  /** Includes the nested mappings, but not tasks, which have their own line. */
  private static List<String> reserved(Shape.Fields fields) {
    return fields.keys().values().stream()
        .flatMap(
            key -> {
              if (key.status() == FileKey.Status.RESERVED) {
                return Stream.of(key.name());
              }
              return key.shape() instanceof Shape.Fields inner
                      && key.isSupported()
                      && !key.name().equals("task")
                      && !key.name().equals("defaults")
                  ? reserved(inner).stream().map(name -> key.name() + "." + name)
                  : Stream.empty();
            })
        .toList();
  }
}
