package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.task.TaskState;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Requests about single tasks, as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SteerApiTest {

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

  private String task(TaskState state) {
    return "/api/v1/tasks/" + api.store.task(state, null);
  }

  @Test
  void answer_names_the_task_and_the_history_says_by_whom_and_why() {
    var path = task(TaskState.FAILED);
    var dry = api.post(path + "/clear", "{\"dry_run\": true}");
    assertThat(dry.json().get("answer").asText()).isEqualTo("would_clear");
    assertThat(api.fetch(path).json().get("state").asText()).isEqualTo("FAILED");
    var answer = api.post(path + "/clear", "{\"note\": \" new input \"}");
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.json().get("tasks")).isEqualTo(dry.json().get("tasks"));
    assertThat(answer.json().at("/tasks/0/to").asText()).isEqualTo("PENDING");
    assertThat(answer.json().at("/tasks/0/generation").asInt()).isEqualTo(2);
    assertThat(api.fetch(path + "/history").json().toString()).contains("cleared: new input");
    var twice = api.post(path + "/clear", "");
    assertThat(twice.status()).isEqualTo(409);
    assertThat(twice.json().get("detail").asText()).contains("is PENDING");
  }

  @Test
  void mark_skip_block_retry_and_priority_answer_what_happened() {
    var path = task(TaskState.SCHEDULED);
    assertThat(api.post(path + "/priority", "{\"priority\": 90}").status()).isEqualTo(202);
    assertThat(api.fetch(path).json().get("priority").asInt()).isEqualTo(90);
    assertThat(api.post(path + "/priority", "{\"priority\": 90}").status()).isEqualTo(200);
    assertThat(api.post(path + "/block", "").json().get("answer").asText()).isEqualTo("blocked");
    assertThat(api.post(path + "/skip", "{}").json().at("/tasks/0/to").asText())
        .isEqualTo("SKIPPED");
    assertThat(api.post(path + "/retry", "").status()).isEqualTo(409);
    assertThat(api.post(path + "/mark", "{\"as\": \"failed\"}").status()).isEqualTo(202);
    var same = api.post(path + "/mark", "{\"as\": \"failed\"}");
    assertThat(same.json().get("answer").asText()).isEqualTo("unchanged");
    assertThat(api.post(path + "/retry", "").json().get("answer").asText()).isEqualTo("retrying");
  }

  @Test
  void task_that_only_waited_has_nothing_to_run_again() {
    var submitted = api.post("/api/v1/tasks", "{\"wait\": {\"for\": \"10m\"}}");
    var path = "/api/v1/tasks/" + submitted.json().get("id").asText();
    assertThat(api.post(path + "/mark", "{\"as\": \"failed\"}").status()).isEqualTo(202);
    for (String again : List.of("/clear", "/retry")) {
      var refused = api.post(path + again, "");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().get("detail").asText()).contains("only waited for a time");
    }
  }

  @Test
  void request_that_is_not_valid_changes_nothing() {
    var path = task(TaskState.SCHEDULED);
    for (var bad :
        List.of(
            "/mark {}",
            "/mark {\"as\": \"done\"}",
            "/priority {\"priority\": 101}",
            "/priority {}",
            "/clear {\"upstream\": 1}",
            "/skip {\"as\": \"failed\"}",
            "/block {\"note\": 1}",
            "/retry {\"note\": \"" + "x".repeat(401) + "\"}")) {
      var parts = bad.split(" ", 2);
      assertThat(api.post(path + parts[0], parts[1]).status()).as(bad).isEqualTo(422);
    }
    assertThat(api.fetch(path).json().get("state").asText()).isEqualTo("SCHEDULED");
    var none = "/api/v1/tasks/" + UUID.randomUUID() + "/clear";
    assertThat(api.post(none, "").status()).isEqualTo(404);
  }
}
