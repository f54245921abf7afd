package dev.belay.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTest {

  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path folder;

  @Test
  void child_answers_each_order() throws Exception {
    try (var child = Child.start("cat", folder, List.of("/bin/cat"), Map.of())) {
      assertThat(child.ask("one", SOON)).isEqualTo("one");
      assertThat(child.ask("two", SOON)).isEqualTo("two");
    }
  }

  @Test
  void child_that_ended_is_told_with_the_end_of_its_log() throws Exception {
    var command = List.of("/bin/sh", "-c", "echo no luck >&2");
    try (var child = Child.start("unlucky", folder, command, Map.of())) {
      assertThatThrownBy(() -> child.line(SOON))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unlucky ended")
          .hasMessageContaining("no luck");
    }
  }

  @Test
  void program_that_ignores_its_input_ends_with_it() throws Exception {
    var command = Child.endedWithInput(List.of("/bin/sleep", "600"));
    ProcessHandle sleep;
    try (var child = Child.start("sleep", folder, command, Map.of())) {
      sleep = ProcessHandle.of(Long.parseLong(child.line(SOON))).orElseThrow();
      assertThat(sleep.isAlive()).isTrue();
    }
    sleep.onExit().get(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void other_database_keeps_the_options_of_the_url() {
    var address = new Address("jdbc:postgresql://db:5432/postgres?sslmode=require", "me", "pw");

    assertThat(address.database("other").jdbcUrl())
        .isEqualTo("jdbc:postgresql://db:5432/other?sslmode=require");
    assertThat(address.toString()).doesNotContain("sslmode").doesNotContain("pw");
  }
}
