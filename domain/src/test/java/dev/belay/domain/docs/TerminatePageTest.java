package dev.belay.domain.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of reasons in {@code docs/terminate.md} is made from the code. Run with -Dbelay.write
 * to make it again.
 */
class TerminatePageTest {

  private static final Path PAGE = Path.of("..", "docs", "terminate.md");
  private static final String COMMAND =
      "mvn -q -pl domain test -Dbelay.write -Dtest=TerminatePageTest";
  private static final String BEGIN = "<!-- Made from AbortReason: " + COMMAND + " -->\n";
  private static final String END = "<!-- end -->\n";

  @Test
  void the_page_says_what_the_code_does() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(page).contains(BEGIN, END);
    if (System.getProperty("belay.write") != null) {
      Files.writeString(PAGE, page.substring(0, begin) + table() + page.substring(end));
      return;
    }
    assertThat(page.substring(begin, end)).as("stale: run " + COMMAND).isEqualTo(table());
  }

  private static String table() {
    return Arrays.stream(AbortReason.values())
        .map(
            reason ->
                "| `%s` | %s | %s | %s |%n"
                    .formatted(
                        reason.word(),
                        reason.leadsTo(),
                        idle(reason),
                        reason.isForPeople() ? "yes" : "no"))
        .collect(
            Collectors.joining(
                "",
                "| reason | an attempt that does not succeed leaves | a task that no worker holds"
                    + " | you may ask |\n| --- | --- | --- | --- |\n",
                ""));
  }

  /** What becomes of idle tasks, and from which states. */
  private static String idle(AbortReason reason) {
    var from =
        Arrays.stream(TaskState.values())
            .filter(state -> state.kind() == TaskState.Kind.IDLE)
            .filter(state -> reason.appliesTo(state).isPresent())
            .toList();
    if (from.isEmpty()) {
      return "nothing to do";
    }
    long all =
        Arrays.stream(TaskState.values())
            .filter(state -> state.kind() == TaskState.Kind.IDLE)
            .count();
    return from.size() == all
        ? "becomes " + reason.leadsTo()
        : "becomes %s if it is %s"
            .formatted(
                reason.leadsTo(), from.stream().map(Enum::name).collect(Collectors.joining(", ")));
  }
}
