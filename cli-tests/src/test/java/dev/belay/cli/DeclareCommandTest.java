package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclareCommandTest {

  private static final String GPU = "/api/v1/pools/gpu";
  private static final String DATA = "/api/v1/tenants/data";

  @TempDir Path home;
  private FakeServer server;
  private Shell shell;
  private final AtomicReference<FakeServer.Asked> put = new AtomicReference<>();

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
  void set_keeps_what_is_not_given_and_names_the_version_that_it_read() {
    server.on(
        "GET " + GPU,
        Said.json(
            """
            {"name": "gpu", "description": "big", "state": "active", "slots": 4, "capabilities": ["gpu"],
             "strategy": "spread", "workers": 3, "declared_in": "api", "version": 7, "warnings": []}
            """));
    answerPut(GPU, "{\"name\": \"gpu\", \"version\": 8, \"warnings\": [\"look\"]}");
    var result = shell.run("pools", "set", "gpu", "--state", "draining", "--slots", "none");
    assertThat(result.out()).isEqualTo("The pool gpu is changed (version 8).\n");
    assertThat(result.err()).isEqualTo("warning: look\n");
    assertThat(sent().header("If-match")).isEqualTo("\"7\"");
    assertThat(sent().body())
        .isEqualTo(
            "{\"state\":\"draining\",\"capabilities\":[\"gpu\"],\"strategy\":\"spread\","
                + "\"description\":\"big\"}");
  }

  @Test
  void set_declares_what_is_not_there_and_only_then() {
    server.on("GET " + DATA, Said.problem(404, "{\"detail\": \"no\"}"));
    answerPut(DATA, "{\"name\": \"data\", \"version\": 3}");
    var result =
        shell.run(
            "tenants",
            "set",
            "data",
            "--weight",
            "2",
            "--submit-rate",
            "100/1s",
            "--max-running",
            "5");
    assertThat(result.out()).isEqualTo("The tenant data is declared (version 3).\n");
    assertThat(sent().header("If-none-match")).isEqualTo("*");
    assertThat(sent().body())
        .isEqualTo("{\"weight\":2,\"max_running\":5,\"submit_rate\":{\"max\":100,\"per\":\"1s\"}}");
  }

  @Test
  void a_value_that_is_no_number_is_a_mistake_of_usage() {
    server.on("GET " + DATA, Said.problem(404, "{\"detail\": \"no\"}"));
    assertThat(shell.run("tenants", "set", "data", "--max-running", "many"))
        .matches(result -> result.status() == 2)
        .matches(result -> result.err().contains("--max-running must be a number, or none"));
    assertThat(shell.run("tenants", "set", "data", "--submit-rate", "100").status()).isEqualTo(2);
  }

  @Test
  void lists_show_who_declared_what() {
    server.on(
        "GET /api/v1/pools",
        Said.json(
            """
            {"items": [{"name": "default", "description": null, "state": "active", "slots": null,
              "capabilities": [], "strategy": "spread", "workers": 2, "worker_slots": 8, "declared_in": null},
             {"name": "gpu", "description": "big", "state": "draining", "slots": 4, "capabilities": ["gpu", "ssd"],
              "strategy": "pack", "workers": 0, "worker_slots": 0, "declared_in": "system_file"}], "next": null}
            """));
    assertThat(shell.run("pools").out().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .containsExactly(
            "NAME STATE WORKERS SLOTS STRATEGY CAPABILITIES DECLARED DESCRIPTION",
            "default active 2 8 spread - - -",
            "gpu draining 0 0 (at most 4) pack gpu,ssd system_file big");
  }

  @Test
  void show_and_delete_name_the_thing() {
    server.on(
        "GET /api/v1/topics/etl.load",
        Said.json(
            "{\"name\": \"etl.load\", \"description\": null, \"pools\": [\"a\", \"b\"],"
                + " \"declared_in\": \"api\", \"version\": 3, \"warnings\": []}"));
    assertThat(shell.run("topics", "show", "etl.load").out())
        .contains("name           etl.load\n", "pools          a, b\n")
        .doesNotContain("warnings", "description");
    server.on("DELETE /api/v1/topics/etl.load", Said.json("{\"answer\": \"deleted\"}"));
    assertThat(shell.run("topics", "delete", "etl.load").out())
        .startsWith("The topic etl.load is no longer declared.");
  }

  private void answerPut(String path, String answer) {
    server.on(
        "PUT " + path,
        asked -> {
          put.set(asked);
          return Said.json(answer);
        });
  }

  private FakeServer.Asked sent() {
    return Objects.requireNonNull(put.get(), "nothing was sent");
  }
}
