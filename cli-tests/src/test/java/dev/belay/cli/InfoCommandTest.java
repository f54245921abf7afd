package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoCommandTest {

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
  void info_shows_replicas_and_who_runs_which_periodic_job() {
    server.on(
        "GET /api/v1/info",
        Said.json(
            """
            {"version": "1", "leader": "a", "epoch": 7, "schema": 20,
             "replicas": [{"name": "a", "seen_at": "2020-01-01T00:00:00Z"}],
             "leases": [
               {"name": "clean", "holder": null, "token": 3, "acquired_at": "2020-01-01T00:00:00Z",
                "expires_at": null, "finished_at": "2020-01-01T00:00:00Z", "outcome": "failed",
                "next_due_at": "2020-01-01T01:00:00Z"},
               {"name": "retention", "holder": "b", "token": 9, "acquired_at": "2020-01-01T00:00:00Z",
                "expires_at": "9999-01-01T00:00:00Z", "finished_at": null, "outcome": null,
                "next_due_at": "2020-01-01T00:00:00Z"}]}
            """));
    var text = shell.run("info");
    assertThat(text.status()).as(text.err()).isZero();
    assertThat(text.out())
        .containsPattern("schema +20")
        .containsPattern("(?m)^a +.* ago$")
        .containsPattern("(?m)^clean +- +- +- +.* ago +failed +now$")
        .containsPattern("(?m)^retention +b +.* ago +in .* +- +- +now$")
        .doesNotContain("leases");
    var json = shell.run("info", "-o", "json");
    assertThat(json.out()).contains("\"token\"", "\"retention\"");
  }
}
