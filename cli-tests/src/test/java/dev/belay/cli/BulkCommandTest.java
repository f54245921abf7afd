package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BulkCommandTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";
  private static final String PREVIEW =
      """
      "kind":"retry","filter":{"states":["FAILED"],"workflow":"etl"},
      "preview":{"matches":1234,"counted_all":true,"sample":[{"id":"%s","name":"load","state":"FAILED"}]}\
      """
          .formatted(ID);
  private static final String BULK =
      """
      {"id":"%s",%s,"state":"%s","matched":3,"changed":2,"refused":1,"reasons":{"not_allowed":1},
      "refusals":[{"id":"%s","reason":"not_allowed","detail":"The run is being cancelled."}],"created_by":"ann",
      "created_at":"2026-01-01T00:00:00Z","rate":50.0,"priority":null,"reason":null,"ended_at":%s}\
      """;

  @TempDir Path home;
  private FakeServer server;
  private Shell shell;
  private final List<String> bodies = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new Shell(home).server(server);
    server.on(
        "POST /api/v1/bulk",
        asked -> {
          bodies.add(asked.body());
          return asked.body().contains("dry_run")
              ? Said.json("{" + PREVIEW + "}")
              : Said.json(BULK.formatted(ID, PREVIEW, "RUNNING", ID, "null"));
        });
    server.on(
        "GET /api/v1/bulk/" + ID,
        Said.json(BULK.formatted(ID, PREVIEW, "DONE", ID, "\"2026-01-01T00:01:00Z\"")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void dry_run_shows_the_preview_and_starts_nothing() {
    var result =
        shell.run(
            "bulk",
            "retry",
            "--state",
            "FAILED",
            "--workflow",
            "etl",
            "--since",
            "24h",
            "--rate",
            "30/m",
            "--label",
            "team=data",
            "--dry-run");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out()).contains("retry: 1,234 tasks match", ID, "load");
    assertThat(bodies).hasSize(1);
    assertThat(bodies.getFirst().replaceAll("\\s", ""))
        .contains(
            "\"kind\":\"retry\"",
            "\"state\":[\"FAILED\"]",
            "\"created_since\":\"24h\"",
            "\"labels\":{\"team\":\"data\"}",
            "\"rate\":0.5",
            "\"dry_run\":true");
  }

  @Test
  void nothing_starts_without_a_terminal_or_yes() {
    var result = shell.run("bulk", "retry", "--workflow", "etl");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("1,234", "--yes");
    assertThat(bodies).hasSize(1);
  }

  @Test
  void on_a_terminal_it_asks_with_the_preview() {
    shell.terminal = true;
    shell.typed = "n\n";
    var refused = shell.run("bulk", "retry", "--workflow", "etl");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err()).contains("Start the retry of 1,234 tasks? [y/N]", "load");
    assertThat(bodies).hasSize(1);
    shell.typed = "y\n";
    var started = shell.run("bulk", "retry", "--workflow", "etl");
    assertThat(started.status()).as(started.err()).isZero();
    assertThat(started.out()).contains(ID);
    assertThat(bodies).hasSize(3);
    assertThat(bodies.getLast()).doesNotContain("dry_run");
  }

  @Test
  void yes_and_wait_start_it_and_show_its_end() {
    var result = shell.run("bulk", "retry", "--workflow", "etl", "--yes", "--wait");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            "DONE",
            "3 of 1,234 tasks: 2 changed, 1 refused",
            "not_allowed: 1",
            "The run is being cancelled.",
            "50.0 a second");
  }

  @Test
  void runs_and_priorities_have_their_kind() {
    shell.run("bulk", "cancel", "--runs", "--workflow", "etl", "--yes");
    shell.run("bulk", "priority", "90", "--workflow", "etl", "--yes");
    assertThat(bodies.getFirst()).contains("cancel_runs");
    assertThat(bodies.getLast().replaceAll("\\s", ""))
        .contains("\"kind\":\"priority\"", "\"priority\":90");
  }

  @Test
  void bad_rate_is_refused_before_anything_is_sent() {
    var result = shell.run("bulk", "retry", "--workflow", "etl", "--rate", "fast", "--yes");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("50/s");
    assertThat(bodies).isEmpty();
  }

  @Test
  void operations_are_listed_and_stopped() {
    server.on(
        "GET /api/v1/bulk",
        Said.json(
            "{\"items\":["
                + BULK.formatted(ID, PREVIEW, "RUNNING", ID, "null")
                + "],\"next\":null}"));
    server.on(
        "POST /api/v1/bulk/" + ID + "/cancel",
        Said.json(BULK.formatted(ID, PREVIEW, "CANCELLED", ID, "\"2026-01-01T00:01:00Z\"")));
    assertThat(shell.run("bulk", "list").out()).contains(ID, "retry", "RUNNING", "3 of 1,234");
    assertThat(shell.run("bulk", "stop", ID).out()).contains("changes nothing any more");
  }
}
