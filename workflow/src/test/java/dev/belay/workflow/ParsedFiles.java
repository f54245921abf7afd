package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.WorkflowSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Reads workflow files in tests. */
final class ParsedFiles {

  static final String FILE = "w.yaml";

  private ParsedFiles() {}

  static WorkflowSpec valid(String text) {
    Parsed parsed = WorkflowFile.parse(FILE, text);
    assertThat(parsed).isInstanceOf(Parsed.Valid.class);
    return ((Parsed.Valid) parsed).spec();
  }

  static TaskSpec validTask(String text) {
    return valid(text).tasks().getFirst();
  }

  static List<String> problems(String text) {
    Parsed parsed = WorkflowFile.parse(FILE, text);
    assertThat(parsed).isInstanceOf(Parsed.Invalid.class);
    return ((Parsed.Invalid) parsed).problems().stream().map(Problem::toString).toList();
  }

  static String resource(String name) {
    try (InputStream in = ParsedFiles.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
