package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmitUniqueTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";

  @TempDir Path home;

  @Test
  void submit_with_a_unique_key_says_that_the_task_was_there() throws IOException {
    try (var server = new FakeServer()) {
      var shell = new Shell(home).server(server);
      server.on(
          "POST /api/v1/tasks",
          Said.json("{\"id\":\"%s\",\"state\":\"RUNNING\",\"existing\":true}".formatted(ID)));
      var result =
          shell.run(
              "submit",
              "--unique-key=k",
              "--unique-while=1h",
              "--on-conflict=existing",
              "--",
              "/bin/true");
      assertThat(result.out()).isEqualTo(ID + "\n");
      assertThat(result.err()).contains("was there before", "RUNNING");
      assertThat(server.only("/api/v1/tasks").body())
          .contains(
              "\"unique\":{\"key\":\"k\",\"while\":{\"for\":\"1h\"},\"on_conflict\":\"existing\"}");
      assertThat(shell.run("submit", "--on-conflict=existing", "--", "/bin/true").err())
          .contains("--unique-key");
    }
  }
}
