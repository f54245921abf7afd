package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsCommandTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";
  private static final String WRITTEN = "one\u001b[2J\u001b[31m two\u202e\n";

  @TempDir Path home;
  private FakeServer server;
  private Shell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new Shell(home).server(server);
    server.on("GET /api/v1/tasks/" + ID, Said.json("{\"state\":\"SUCCEEDED\",\"attempts\":1}"));
    server.on("GET /api/v1/tasks/" + ID + "/logs", Said.text(WRITTEN));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_terminal_shows_control_characters_and_does_not_obey_them() {
    shell.terminal = true;
    assertThat(shell.run("logs", ID).out()).isEqualTo("one␛[2J␛[31m two\ufffd\n");
    assertThat(shell.run("logs", "-f", ID).out()).isEqualTo("one␛[2J␛[31m two\ufffd\n");
    assertThat(shell.run("logs", "--raw", ID).out()).isEqualTo(WRITTEN);
    assertThat(shell.run("logs", "--raw", "-f", ID).out()).isEqualTo(WRITTEN);
  }

  @Test
  void a_file_or_pipe_gets_the_log_as_it_is() {
    assertThat(shell.run("logs", ID).out()).isEqualTo(WRITTEN);
  }
}
