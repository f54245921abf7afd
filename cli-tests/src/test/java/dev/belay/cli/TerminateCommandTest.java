package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminateCommandTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";
  private static final String PATH = "/api/v1/tasks/" + ID + "/terminate";

  @TempDir Path home;
  private FakeServer server;
  private Shell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new Shell(home).server(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void answers(String answer) {
    server.on("POST " + PATH, new Said(202, "application/json", answer));
  }

  @Test
  void terminate_cancels_unless_there_is_another_reason() {
    answers("{\"answer\":\"done\",\"state\":\"CANCELLED\"}");
    assertThat(shell.run("terminate", ID).out()).contains("The task " + ID + " is CANCELLED.");
    assertThat(server.only(PATH).body()).isEqualTo("{\"reason\":\"cancelled\"}");
  }

  @Test
  void terminate_sends_its_reason_and_note_and_says_what_follows() {
    answers("{\"answer\":\"asked\"}");
    var result =
        shell.run("terminate", ID, "--reason", "graceful_shutdown", "--note", "a new disk");
    assertThat(result.out()).contains("is told to end it: graceful_shutdown.");
    assertThat(server.only(PATH).body())
        .isEqualTo("{\"reason\":\"graceful_shutdown\",\"note\":\"a new disk\"}");
  }

  @Test
  void terminate_that_was_asked_before_says_so() {
    answers("{\"answer\":\"already_asked\"}");
    assertThat(shell.run("terminate", ID).out()).contains("was already asked to end: cancelled.");
  }

  @Test
  void terminate_that_is_refused_says_why() {
    server.on("POST " + PATH, Said.problem(409, "{\"detail\":\"The task is over\"}"));
    var result = shell.run("terminate", ID);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("belay: The task is over.\n");
  }
}
