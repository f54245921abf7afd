package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.domain.task.TaskState;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Notes on tasks as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NoteApiTest {

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

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void a_note_is_kept_in_every_state_until_it_is_replaced_or_removed(TaskState state) {
    var path = "/api/v1/tasks/" + api.store.task(state, null);
    var before = api.fetch(path).json();

    assertThat(api.post(path + "/note", "{\"note\": \" ask storage \"}").status()).isEqualTo(200);
    var noted = api.fetch(path).json();
    assertThat(noted.get("note").asText()).isEqualTo("ask storage");
    assertThat(noted.get("state")).isEqualTo(before.get("state"));
    assertThat(noted.get("state_since")).isEqualTo(before.get("state_since"));

    assertThat(api.post(path + "/note", "{\"note\": \"\"}").status()).isEqualTo(200);
    assertThat(api.fetch(path).json().get("note").isNull()).isTrue();
    var history = api.fetch(path + "/history").json().get("items");
    var remark = history.get(history.size() - 2);
    assertThat(remark.get("reason").asText()).isEqualTo("note: ask storage");
    assertThat(remark.get("from").asText()).isEqualTo(state.name());
    assertThat(remark.get("to").asText()).isEqualTo(state.name());
    assertThat(history.get(history.size() - 1).get("reason").asText()).isEqualTo("note removed");
  }

  @Test
  void nothing_follows_a_usual_end_in_the_history() {
    var task = api.store.task(TaskState.SUCCEEDED, null);
    api.store.run("UPDATE task SET reason = 'exit_code: 0' WHERE id = '%s'".formatted(task));
    var path = "/api/v1/tasks/" + task;
    assertThat(api.post(path + "/note", "{\"note\": \"good\"}").status()).isEqualTo(200);
    assertThat(api.fetch(path).json().get("note").asText()).isEqualTo("good");
    assertThat(api.fetch(path + "/history").json().toString()).doesNotContain("note");
  }

  @Test
  void a_note_that_is_no_short_text_changes_nothing() {
    var path = "/api/v1/tasks/" + api.store.task(TaskState.FAILED, null);
    for (var body :
        new String[] {
          "{}",
          "{\"note\": 1}",
          "{\"note\": null}",
          "{\"note\": \"a\\u0000b\"}",
          "{\"note\": \"a\", \"by\": \"me\"}",
          "{\"note\": \"" + "x".repeat(1_001) + "\"}"
        }) {
      var refused = api.post(path + "/note", body);
      assertThat(refused.status()).as(body).isEqualTo(422);
      assertThat(refused.json().get("errors").get(0).get("field").asText()).isEqualTo("note");
    }
    assertThat(api.fetch(path).json().get("note").isNull()).isTrue();
    var none = "/api/v1/tasks/" + UUID.randomUUID() + "/note";
    assertThat(api.post(none, "{\"note\": \"a\"}").status()).isEqualTo(404);
  }

  @Test
  void a_note_that_waits_for_another_writer_is_kept() throws Exception {
    var task = api.store.task(TaskState.SCHEDULED, null);
    var path = "/api/v1/tasks/" + task;
    try (var writer = api.store.jdbi().open()) {
      writer.begin();
      writer.execute(
          "UPDATE task SET state = 'CANCELLED', ended_at = now() WHERE id = '" + task + "'");
      var noted =
          CompletableFuture.supplyAsync(() -> api.post(path + "/note", "{\"note\": \"a\"}"));
      await()
          .until(
              () ->
                  writer
                          .createQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")
                          .mapTo(Integer.class)
                          .one()
                      > 0);
      writer.commit();
      assertThat(noted.get().status()).isEqualTo(200);
    }
    var now = api.fetch(path).json();
    assertThat(now.get("note").asText()).isEqualTo("a");
    assertThat(now.get("state").asText()).isEqualTo("CANCELLED");
  }
}
