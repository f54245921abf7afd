package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.task.TaskState;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A task that is ended for a reason, as a caller sees it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminateApiTest {

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
  void an_idle_task_changes_at_once_and_its_history_says_by_whom_and_why() {
    var path = task(TaskState.SCHEDULED);
    var answer =
        api.post(
            path + "/terminate", "{\"reason\": \"cost_limit_reached\", \"note\": \" 9 EUR \"}");
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.json().get("answer").asText()).isEqualTo("done");
    assertThat(answer.json().get("state").asText()).isEqualTo("BLOCKED");
    assertThat(api.fetch(path + "/history").json().get("items").toString())
        .contains("\"cost_limit_reached: 9 EUR\"");
    assertThat(api.post(path + "/terminate", "").json().get("state").asText())
        .isEqualTo("CANCELLED");
  }

  @Test
  void the_first_reason_of_an_attempt_stands_and_the_second_is_told() {
    var path = task(TaskState.RUNNING);
    var first = api.post(path + "/terminate", "{\"reason\": \"graceful_shutdown\"}");
    assertThat(first.json().get("answer").asText()).isEqualTo("asked");
    var again = api.post(path + "/terminate", "{\"reason\": \"graceful_shutdown\"}");
    assertThat(again.status()).isEqualTo(202);
    assertThat(again.json().get("answer").asText()).isEqualTo("already_asked");
    for (var call : new String[] {"/terminate", "/cancel"}) {
      var other = api.post(path + call, "");
      assertThat(other.status()).isEqualTo(409);
      assertThat(other.json().get("detail").asText())
          .contains("already asked to end by", "graceful_shutdown", "becomes SCHEDULED");
    }
    var attempt = api.fetch(path + "/attempts").json().get("items").get(0);
    assertThat(attempt.get("abort_reason").asText()).isEqualTo("graceful_shutdown");
    assertThat(attempt.get("abort_by").asText()).isNotEmpty();
    assertThat(attempt.get("abort_at").isNull()).isFalse();
  }

  @Test
  void what_is_over_idle_or_unknown_is_refused_with_the_reason() {
    var over = api.post(task(TaskState.FAILED) + "/terminate", "");
    assertThat(over.status()).isEqualTo(409);
    assertThat(over.json().get("detail").asText()).contains("is over: FAILED");
    var idle =
        api.post(task(TaskState.SCHEDULED) + "/terminate", "{\"reason\": \"graceful_shutdown\"}");
    assertThat(idle.status()).isEqualTo(409);
    assertThat(idle.json().get("detail").asText()).contains("is SCHEDULED", "nothing to end");
    var none = "/api/v1/tasks/" + UUID.randomUUID() + "/terminate";
    assertThat(api.post(none, "{}").status()).isEqualTo(404);
  }

  @Test
  void a_hard_cap_raises_an_alert() {
    var path = task(TaskState.PENDING);
    api.post(path + "/terminate", "{\"reason\": \"hard_cap_exceeded\"}");
    assertThat(api.fetch(path).json().get("state").asText()).isEqualTo("FAILED");
    assertThat(api.fetch("/api/v1/alerts").json().get("items").toString())
        .contains("hard_cap_exceeded", path.substring(path.lastIndexOf('/') + 1));
  }

  @Test
  void a_request_that_is_not_valid_ends_nothing() {
    var path = task(TaskState.SCHEDULED);
    for (var body :
        new String[] {
          "{\"reason\": \"tired\"}",
          "{\"reason\": \"deadline_passed\"}",
          "{\"reason\": 1}",
          "{\"note\": 1}",
          "{\"why\": \"a\"}",
          "{\"note\": \"" + "x".repeat(401) + "\"}"
        }) {
      assertThat(api.post(path + "/terminate", body).status()).as(body).isEqualTo(422);
    }
    assertThat(api.fetch(path).json().get("state").asText()).isEqualTo("SCHEDULED");
  }
}
