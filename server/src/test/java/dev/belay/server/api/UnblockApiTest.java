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

/** A task that waits for a person, as a caller sees it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnblockApiTest {

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
  void a_blocked_task_is_resumed_and_its_history_says_by_whom_and_why() {
    var path = "/api/v1/tasks/" + api.store.task(TaskState.BLOCKED, null);
    assertThat(api.fetch(path).json().at("/waiting/reason").asText()).isEqualTo("person");
    var answer = api.post(path + "/unblock", "{\"note\": \" it is back \"}");
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.json().get("answer").asText()).isEqualTo("unblocked");
    var step = api.fetch(path + "/history").json().get("items");
    assertThat(step.toString()).contains("\"unblocked: it is back\"");
    var twice = api.post(path + "/unblock", "");
    assertThat(twice.status()).isEqualTo(409);
    assertThat(twice.json().get("detail").asText()).contains("Only a BLOCKED task");
  }

  @Test
  void a_task_in_another_state_or_an_unknown_one_is_refused_with_the_reason() {
    var path = "/api/v1/tasks/" + api.store.task(TaskState.FAILED, null) + "/unblock";
    assertThat(api.post(path, "").status()).isEqualTo(409);
    assertThat(api.post(path, "").json().get("detail").asText()).contains("is FAILED");
    var none = "/api/v1/tasks/" + UUID.randomUUID() + "/unblock";
    assertThat(api.post(none, "{}").status()).isEqualTo(404);
  }

  @Test
  void a_note_that_is_no_short_text_unblocks_nothing() {
    var path = "/api/v1/tasks/" + api.store.task(TaskState.BLOCKED, null);
    for (var body :
        new String[] {
          "{\"note\": 1}", "{\"why\": \"a\"}", "{\"note\": \"" + "x".repeat(401) + "\"}"
        }) {
      assertThat(api.post(path + "/unblock", body).status()).as(body).isEqualTo(422);
    }
    assertThat(api.fetch(path).json().get("state").asText()).isEqualTo("BLOCKED");
  }
}
