package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import dev.belay.cli.client.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveCommandTest {

  private static final String RUN =
      "{\"kind\":\"run\",\"id\":\"r1\",\"row_version\":5,\"ended_at\":\"2025-10-31T12:00:00+00:00\"}\n";
  private static final String TASK_1 =
      "{\"kind\":\"task\",\"id\":\"t1\",\"row_version\":6,\"work\":1.00000000000000000001,\"ended_at\":\"2025-10-31T12:00:00.5+00:00\"}\n";
  private static final String TASK_2 =
      "{\"kind\":\"task\",\"id\":\"t2\",\"row_version\":7,\"ended_at\":\"2025-10-31T12:00:00+00:00\"}\n";

  @TempDir Path home;
  private FakeServer server;
  private Shell shell;
  private Path file;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new Shell(home).server(server);
    file = home.resolve("q1.jsonl.gz");
    server.on("GET /api/v1/archive/runs", Said.lines(RUN, ""));
    server.on(
        "GET /api/v1/archive/tasks",
        asked ->
            asked.query().contains("cursor=t1")
                ? Said.lines(TASK_2, "")
                : Said.lines(TASK_1, "t1"));
    server.on("POST /api/v1/archive/runs/remove", Said.json("{\"removed\":1}"));
    server.on("POST /api/v1/archive/tasks/remove", Said.json("{\"removed\":1}"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void the_file_has_all_lines_unchanged_and_nothing_is_removed_unasked() throws IOException {
    var result = archive("--before", "2026-04-01");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out()).contains("1 run and 2 tasks that ended before 2026-04-01T00:00:00Z");
    assertThat(text()).isEqualTo(RUN + TASK_1 + TASK_2);
    assertThat(server.asked)
        .allMatch(
            asked ->
                asked.method().equals("GET") && asked.query().contains("before=2026-04-01T00:00"));
    assertThat(home.toFile().list()).noneMatch(name -> name.endsWith(".part"));
  }

  @Test
  void what_the_file_has_is_removed_runs_first() throws IOException {
    var result = archive("--before", "90d", "--remove", "-o", "json");
    assertThat(result.status()).as(result.err()).isZero();
    var answer = Json.parse(result.out().getBytes(StandardCharsets.UTF_8));
    assertThat(answer.get("removed_runs").asInt()).isEqualTo(1);
    assertThat(answer.get("removed_tasks").asInt()).isEqualTo(1);
    assertThat(answer.get("tasks").asInt()).isEqualTo(2);
    assertThat(answer.get("bytes").asLong()).isEqualTo(Files.size(file));
    assertThat(
            server.asked.stream()
                .filter(asked -> asked.method().equals("POST"))
                .map(asked -> asked.path() + " " + asked.body()))
        .containsExactly(
            "/api/v1/archive/runs/remove" + " {\"items\":[{\"id\":\"r1\",\"row_version\":5}]}",
            "/api/v1/archive/tasks/remove {\"items\":[{\"id\":\"t1\",\"row_version\":6},"
                + "{\"id\":\"t2\",\"row_version\":7}]}");
  }

  @Test
  void an_existing_file_is_never_overwritten_and_its_removal_can_be_repeated() throws IOException {
    assertThat(archive("--before", "90d").status()).isZero();
    byte[] before = Files.readAllBytes(file);
    server.asked.clear();

    var again = archive("--before", "90d");
    assertThat(again.status()).isEqualTo(2);
    assertThat(again.err()).contains("exists");
    assertThat(server.asked).isEmpty();

    assertThat(archive("--before", "90d", "--remove").status()).isZero();
    assertThat(server.asked).noneMatch(asked -> asked.method().equals("GET"));
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void an_existing_file_with_something_younger_than_asked_removes_nothing() throws IOException {
    archive("--before", "2026-04-01");
    var result = archive("--before", "2025-10-01", "--remove");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains("has the run r1, which ended at 2025-10-31T12:00:00Z, not before 2025-10-01")
        .contains("nothing was removed");
    assertThat(server.asked).noneMatch(asked -> asked.toString().contains("remove"));
  }

  @Test
  void a_file_that_another_archive_finished_meanwhile_is_not_replaced() throws IOException {
    server.on(
        "GET /api/v1/archive/tasks",
        _ -> {
          try {
            Files.writeString(file, "of another command");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return Said.lines(TASK_1, "");
        });
    var result = archive("--before", "90d", "--remove");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("appeared meanwhile").contains("Name another file");
    assertThat(Files.readString(file)).isEqualTo("of another command");
    assertThat(server.asked).noneMatch(asked -> asked.method().equals("POST"));
    assertThat(home.toFile().list()).noneMatch(name -> name.endsWith(".part"));
  }

  @Test
  void a_page_that_fails_leaves_no_file_and_removes_nothing() {
    server.on("GET /api/v1/archive/tasks", Said.problem(500, "{\"title\":\"broken\"}"));
    var result = archive("--before", "90d", "--remove");
    assertThat(result.status()).isNotZero();
    assertThat(home.toFile().list()).noneMatch(name -> name.startsWith("q1"));
    assertThat(server.asked).noneMatch(asked -> asked.method().equals("POST"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "2026-13-01", "90 days", "2026-04-01T12:00"})
  void a_time_that_is_none_is_refused(String before) {
    var result = archive("--before", before);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("--before").contains("90d");
    assertThat(server.asked).isEmpty();
  }

  private Shell.Result archive(String... args) {
    var all = new ArrayList<>(List.of("archive", "--to", file.toString()));
    all.addAll(List.of(args));
    return shell.run(all.toArray(String[]::new));
  }

  private String text() throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
