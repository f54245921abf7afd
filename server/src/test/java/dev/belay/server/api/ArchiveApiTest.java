package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.task.TaskState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finished tasks and runs as `belay archive` reads and removes them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchiveApiTest {

  /** After the ids of this test. */
  private static final String TASKS = "/api/v1/archive/tasks?before=2100-01-01T00:00:00Z";

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder);
  }

  @BeforeEach
  void clear() {
    api.store.clear();
    api.store.worker();
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void pages_show_each_finished_task_once_and_those_lines_can_be_removed() throws IOException {
    var finished = new ArrayList<String>();
    for (int i = 0; i < 7; i++) {
      finished.add(api.store.task(TaskState.SUCCEEDED, null).toString());
      api.store.task(TaskState.SCHEDULED, null);
    }
    var lines = lines(TASKS + "&limit=3");
    assertThat(lines)
        .extracting(line -> ApiFixture.JSON.readTree(line).get("id").asText())
        .isEqualTo(finished);

    var kept = finished.removeFirst();
    api.post("/api/v1/tasks/" + kept + "/note", "{\"note\": \"keep me\"}");
    for (int removed : new int[] {6, 0}) {
      var answer = api.post("/api/v1/archive/tasks/remove", items(lines));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.json().get("removed").asInt()).isEqualTo(removed);
    }
    assertThat(api.store.count("task")).isEqualTo(8);
    assertThat(api.fetch("/api/v1/tasks/" + kept).status()).isEqualTo(200);
  }

  @Test
  void a_page_of_large_tasks_ends_early_and_the_next_one_continues() throws IOException {
    for (int i = 0; i < 5; i++) {
      api.store.task(TaskState.SUCCEEDED, null);
    }
    api.store.run(
        "UPDATE task_payload SET work = jsonb_build_object('argv', ARRAY[repeat('x', 1500000)])");
    var first = api.fetch(TASKS);
    assertThat(first.text().lines()).hasSize(3);
    assertThat(lines(TASKS)).hasSize(5);
  }

  @Test
  void runs_go_before_their_tasks() throws IOException {
    UUID run = api.store.openRun();
    api.store.task(TaskState.FAILED, run);
    assertThat(lines(TASKS)).isEmpty();
    api.store.run("UPDATE run SET state = 'FAILED', ended_at = belay_now()");
    var tasks = lines(TASKS);
    var runs = lines(TASKS.replace("tasks", "runs"));
    assertThat(api.post("/api/v1/archive/tasks/remove", items(tasks)).json().get("removed").asInt())
        .isZero();
    assertThat(api.post("/api/v1/archive/runs/remove", items(runs)).json().get("removed").asInt())
        .isEqualTo(1);
    assertThat(api.post("/api/v1/archive/tasks/remove", items(tasks)).json().get("removed").asInt())
        .isEqualTo(1);
    assertThat(api.store.count("task")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"items\": 1}",
        "{\"items\": [1]}",
        "{\"items\": [{\"id\": \"x\", \"row_version\": 1}]}",
        "{\"items\": [{\"id\": \"019a0000-0000-7000-8000-00000000aaaa\"}]}",
        "{\"items\": [{\"id\": \"019a0000-0000-7000-8000-00000000aaaa\", \"row_version\": \"1\"}]}",
        "{\"items\": [], \"all\": true}"
      })
  void a_list_that_is_not_one_is_refused(String body) {
    assertThat(api.post("/api/v1/archive/tasks/remove", body).status()).isEqualTo(422);
  }

  @Test
  void a_time_is_needed() {
    assertThat(api.fetch("/api/v1/archive/tasks").status()).isEqualTo(400);
    assertThat(api.fetch("/api/v1/archive/tasks?before=90d").status()).isEqualTo(400);
  }

  private List<String> lines(String path) {
    var lines = new ArrayList<String>();
    var page = api.fetch(path);
    while (true) {
      assertThat(page.status()).isEqualTo(200);
      lines.addAll(page.text().lines().toList());
      if (page.header("belay-next").isEmpty()) {
        return lines;
      }
      page = api.fetch(path + "&cursor=" + page.header("belay-next"));
    }
  }

  private static String items(List<String> lines) throws IOException {
    var body = ApiFixture.JSON.createObjectNode();
    var items = body.putArray("items");
    for (var line : lines) {
      var read = ApiFixture.JSON.readTree(line);
      items
          .addObject()
          .put("id", read.get("id").asText())
          .put("row_version", read.get("row_version").asLong());
    }
    return body.toString();
  }
}
