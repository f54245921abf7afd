package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.embedded.testing.TestPostgres;
import dev.belay.server.metrics.Metric;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract on one process, whose worker and database live and die with it. */
class LiteEditionTest extends EditionContract {

  private Path home = Path.of("");
  private Shell shell = new Shell(home);
  private @Nullable BelayProcess lite;

  @Override
  void start(Path home, Shell shell) throws IOException {
    this.home = home;
    this.shell = shell;
    var data = Files.createDirectory(home.resolve("data"));
    Files.createSymbolicLink(data.resolve("postgres-binaries"), TestPostgres.binariesFolder());
    shell.env.put("BELAY_HOME", data.toString());
    startLite();
  }

  private void startLite() throws IOException {
    lite = new BelayProcess(home, shell.env, "lite", "--port", "0").awaitOut("ready at");
  }

  @Override
  void killWorker() throws IOException {
    killServer();
  }

  @Override
  void killServer() throws IOException {
    Objects.requireNonNull(lite).close();
    startLite();
  }

  @Test
  void every_example_succeeds() throws Exception {
    try (var files = Files.list(Path.of("..", "examples"))) {
      for (Path example : files.sorted().toList()) {
        var run = shell.run("run", example.toString());
        assertThat(run.status()).as(example + "\n" + run.out() + run.err()).isZero();
        assertThat(run.out()).contains("SUCCEEDED");
      }
    }
  }

  @Test
  void every_declared_metric_is_emitted_and_ends_are_counted_once() throws Exception {
    assertThat(shell.run("tenants", "set", "limited", "--max-running", "5").status()).isZero();
    var before =
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(this::scrape, scraped -> scraped.contains("belay_limit_places_held{"));
    assertThat(shell.run("submit", "--wait", "--", "true").status()).isZero();
    var file =
        Files.writeString(
            home.resolve("counted.yaml"),
            """
            name: counted
            tasks:
              - {name: first, command: ["false"]}
              - {name: second, command: ["true"], depends_on: [first]}
            """);
    assertThat(shell.run("run", file.toString()).status()).isEqualTo(1);
    var failed = "belay_runs_completed_total{state=\"FAILED\"}";
    var after =
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(this::scrape, scraped -> value(scraped, failed) > value(before, failed));
    for (var metric : Metric.values()) {
      assertThat(after).contains("# HELP " + metric.text().replaceFirst("_total$", ""));
      assertThat(after).containsPattern("(?m)^" + metric.text());
    }
    var rises =
        Map.of(
            failed,
            1,
            "belay_tasks_received_total{source=\"submit\",topic=\"\"}",
            1,
            "belay_tasks_received_total{source=\"run\",topic=\"\"}",
            2,
            "belay_tasks_dispatched_total{topic=\"\"}",
            2,
            "belay_tasks_completed_total{state=\"SUCCEEDED\",topic=\"\"}",
            1,
            "belay_tasks_completed_total{state=\"FAILED\",topic=\"\"}",
            1,
            "belay_tasks_completed_total{state=\"UPSTREAM_FAILED\",topic=\"\"}",
            1,
            "belay_dispatch_latency_seconds_count",
            2);
    rises.forEach(
        (name, by) ->
            assertThat(value(after, name) - value(before, name))
                .as(name)
                .isEqualTo(by.doubleValue()));
    assertThat(after)
        .contains("belay_leader 1.0", "belay_worker_streams 1.0", "belay_database_up 1.0")
        .contains("belay_loops_unwell 0.0", "belay_schema_newer 0.0")
        .containsPattern("belay_results_total\\{answer=\"applied\"} [1-9]")
        .containsPattern("belay_results_write_seconds_count [1-9]")
        .containsPattern("belay_results_batch_size_count [1-9]")
        .containsPattern("belay_tick_seconds_count [1-9]")
        .containsPattern("belay_tick_phase_seconds_count\\{phase=\"plan\"} [1-9]")
        .containsPattern("belay_threads [1-9]");
  }

  private static double value(String scraped, String metric) {
    return scraped
        .lines()
        .filter(line -> line.startsWith(metric + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(metric.length())))
        .findFirst()
        .orElse(0);
  }

  private String scrape() throws Exception {
    var url = Objects.requireNonNull(lite).out().replaceFirst("(?s).*?(http://[0-9.:]+).*", "$1");
    var token = Files.readString(home.resolve("data").resolve("token")).strip();
    try (var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create(url + "/metrics"))
              .header("Authorization", "Bearer " + token)
              .build();
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }

  @Override
  void stop() throws Exception {
    var running = Objects.requireNonNull(lite);
    running.signal("TERM");
    assertThat(running.awaitExit()).as(running.err()).isZero();
    Files.delete(home.resolve("data").resolve("postgres-binaries"));
  }
}
