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

class DlqCommandTest {

  private static final String ID = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b11";
  private static final String TASK = "01928f7e-7c4b-7d1e-9a52-3f1f0a9c6b22";
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

  private static String letter(String retriedAs) {
    return """
    {"id":"%s","task":"%s","run":null,"workflow":null,"name":"report","reason":"no_workers","detail":"no worker 7",
     "fingerprint":"f1","attempts":3,"created_at":"2026-03-01T12:00:00Z","retry_of":"%s","retries":1,"retried_as":%s,
     "retried_at":null,"retried_by":null,"request":{"name":"report","priority":7}}\
    """
        .formatted(ID, TASK, TASK, retriedAs);
  }

  @Test
  void letters_are_a_table_and_the_filters_are_passed_on() {
    var queries = new ArrayList<String>();
    server.on(
        "GET /api/v1/dead-letters",
        asked -> {
          queries.add(asked.query());
          return Said.json("{\"items\":[" + letter("null") + "],\"next\":null}");
        });
    var result =
        shell.run(
            "dlq", "list", "--reason", "no_workers", "--since", "2026-03-01T00:00:00Z", "--open");
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("REASON", "no_workers", "report", "no worker 7", ID);
    assertThat(queries.getFirst())
        .contains("reason=no_workers", "since=2026-03-01T00", "open=true");
    assertThat(shell.run("dlq", "list", "--since", "soon").status()).isEqualTo(2);
  }

  @Test
  void groups_show_how_many_have_one_cause() {
    server.on(
        "GET /api/v1/dead-letter-groups",
        Said.json(
            """
            {"items":[{"fingerprint":"f1","reason":"no_workers","cause":"no worker <n>","count":12,"open":3,
             "newest_at":"2026-03-01T12:00:00Z"}]}\
            """));
    assertThat(shell.run("dlq", "groups").out()).contains("f1", "12", "3", "no worker <n>");
  }

  @Test
  void one_is_shown_with_its_request_and_its_links() {
    server.on("GET /api/v1/dead-letters/" + ID, Said.json(letter("\"" + TASK + "\"")));
    var result = shell.run("dlq", "show", ID);
    assertThat(result.out())
        .contains(
            "no_workers: no worker 7",
            "after 3 attempts",
            "retry 1 of the dead letter " + TASK,
            "retried as task " + TASK,
            "\"priority\" : 7");
  }

  @Test
  void a_retry_prints_the_task() {
    server.on(
        "POST /api/v1/dead-letters/" + ID + "/retry",
        Said.json(
            "{\"id\":\"%s\",\"answer\":\"submitted\",\"task\":\"%s\",\"run\":null}"
                .formatted(ID, TASK)));
    var result = shell.run("dlq", "retry", ID);
    assertThat(result.status()).isZero();
    assertThat(result.out().strip()).isEqualTo(TASK);
    assertThat(result.err()).contains("belay task " + TASK);
  }

  @Test
  void all_that_match_are_retried_by_a_bulk_operation() {
    List<String> bodies = new ArrayList<>();
    server.on(
        "POST /api/v1/bulk",
        asked -> {
          bodies.add(asked.body());
          return Said.json(
              asked.body().contains("dry_run")
                  ? """
                  {"kind":"retry_dead_letters","filter":{"reason":"no_workers"},
                   "preview":{"matches":12,"counted_all":true,"sample":[]}}\
                  """
                  : "{\"id\":\"" + ID + "\"}");
        });
    assertThat(shell.run("dlq", "retry", "--reason", "no_workers", "--dry-run").out())
        .contains("12 dead letters match");
    var started = shell.run("dlq", "retry", "--reason", "no_workers", "--rate", "10/s", "--yes");
    assertThat(started.out().strip()).isEqualTo(ID);
    assertThat(bodies.getLast())
        .contains("\"kind\":\"retry_dead_letters\"", "\"reason\":\"no_workers\"", "\"rate\":10.0");
    assertThat(shell.run("dlq", "retry").status()).isEqualTo(2);
    assertThat(shell.run("dlq", "retry", ID, "--reason", "no_workers").status()).isEqualTo(2);
    assertThat(shell.run("dlq", "retry", ID, "--rate", "10/s").status()).isEqualTo(2);
  }

  @Test
  void a_purge_repeats_until_nothing_is_left() {
    List<String> bodies = new ArrayList<>();
    server.on(
        "POST /api/v1/dead-letters/purge",
        asked -> {
          bodies.add(asked.body());
          return Said.json(
              "{\"removed\":%d,\"open\":1,\"more\":%s}"
                  .formatted(bodies.size() == 1 ? 10_000 : 5, bodies.size() == 1));
        });
    var result = shell.run("dlq", "purge", "--older-than", "30d");
    assertThat(result.out()).contains("Removed 10005 dead letters, of which 2 were not retried.");
    assertThat(bodies).hasSize(2).allMatch(body -> body.contains("\"older_than\":\"30d\""));
    assertThat(shell.run("dlq", "purge", "--older-than", "x").status()).isEqualTo(2);
    assertThat(shell.run("dlq").status()).isEqualTo(2);
  }
}
