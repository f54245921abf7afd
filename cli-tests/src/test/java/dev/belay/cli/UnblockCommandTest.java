package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnblockCommandTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";
  private static final String PATH = "/api/v1/tasks/" + ID + "/unblock";

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

  @Test
  void unblock_sends_its_note_and_says_what_follows() {
    server.on(
        "POST " + PATH,
        new Said(
            202, "application/json", "{\"id\":\"%s\",\"answer\":\"unblocked\"}".formatted(ID)));
    var result = shell.run("unblock", ID, "--note", "it is back");
    assertThat(result.out()).contains(ID + " will be tried again.");
    assertThat(server.only(PATH).body()).isEqualTo("{\"note\":\"it is back\"}");
  }

  @Test
  void unblock_of_what_is_not_blocked_says_so() {
    server.on("POST " + PATH, Said.problem(409, "{\"detail\":\"The task is RUNNING\"}"));
    var result = shell.run("unblock", ID);
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("belay: The task is RUNNING.\n");
  }
}
