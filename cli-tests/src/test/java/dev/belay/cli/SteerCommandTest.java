package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SteerCommandTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";
  private static final String PATH = "/api/v1/tasks/" + ID;

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

  private void on(String action, String json) {
    server.on("POST " + PATH + action, new Said(202, "application/json", json));
  }

  @Test
  void clear_prints_what_runs_again() {
    on(
        "/clear",
        "{\"id\":\"%s\",\"answer\":\"cleared\",\"run\":\"r\",\"reopened\":true,\"tasks\":[{\"id\":\"x\",\"name\":\"load\",\"from\":\"SUCCEEDED\",\"to\":\"WAITING\",\"generation\":2}]}"
            .formatted(ID));
    var result = shell.run("clear", ID, "--upstream", "--note", "why");
    assertThat(result.out())
        .contains("load  SUCCEEDED -> WAITING  generation 2  x")
        .contains("The run r waits for its turn again.");
    assertThat(server.only(PATH + "/clear").body())
        .isEqualTo("{\"note\":\"why\",\"upstream\":true,\"downstream\":true,\"dry_run\":false}");
  }

  @Test
  void mark_needs_an_end_and_says_that_the_process_ends_first() {
    assertThat(shell.run("mark", ID).status()).isEqualTo(2);
    on("/mark", "{\"answer\":\"ending\",\"state\":\"RUNNING\",\"then\":\"FAILED\",\"tasks\":[]}");
    assertThat(shell.run("mark", ID, "--failed").out())
        .contains("is RUNNING. Its process is asked to end; then it is FAILED.");
    assertThat(server.only(PATH + "/mark").body()).isEqualTo("{\"as\":\"failed\"}");
  }

  @Test
  void retry_of_an_id_that_is_no_run_retries_the_task() {
    server.on("POST /api/v1/runs/" + ID + "/retry", Said.problem(404, "{\"detail\":\"no run\"}"));
    on("/retry", "{\"answer\":\"unchanged\",\"state\":\"WAITING\",\"tasks\":[]}");
    assertThat(shell.run("retry", ID).out()).contains("is WAITING already.");
  }

  @Test
  void priority_sends_its_number() {
    on("/priority", "{\"answer\":\"prioritized\",\"tasks\":[]}");
    assertThat(shell.run("priority", ID, "90").out()).contains("has a new priority");
    assertThat(server.only(PATH + "/priority").body()).isEqualTo("{\"priority\":90}");
  }
}
