package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The change feed as a caller sees it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangesApiTest {

  private static final String TASKS =
      "{\"tasks\": [{\"command\": [\"x\"]}, {\"command\": [\"x\"]}]}";

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder);
  }

  @BeforeEach
  void clear() {
    api.store.clear();
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void changes_come_in_pages_and_a_reader_waits_for_the_next() {
    var submitted = api.post("/api/v1/tasks", TASKS).json().path("tasks");
    var first = read("?limit=1&wait=20s");
    assertThat(first.path("items")).hasSize(1);
    var change = first.path("items").path(0);
    var fields = new ArrayList<String>();
    change.fieldNames().forEachRemaining(fields::add);
    assertThat(fields).containsExactly("id", "at", "kind", "task", "run", "workflow", "state");
    assertThat(change.path("kind").asText()).isEqualTo("task");
    assertThat(change.path("state").asText()).isEqualTo("SCHEDULED");
    assertThat(first.path("next")).isEqualTo(change.path("id"));
    var second = read("?after=" + first.path("next").asText() + "&wait=20s");
    assertThat(submitted.findValuesAsText("id"))
        .containsExactlyInAnyOrder(
            change.path("task").asText(), second.path("items").path(0).path("task").asText());

    var next = second.path("next").asText();
    var waiting = CompletableFuture.supplyAsync(() -> read("?after=" + next + "&wait=20s"));
    var cancelled = submitted.path(0).path("id").asText();
    api.post("/api/v1/tasks/" + cancelled + "/cancel", "");
    var third = waiting.join().path("items");
    assertThat(third).hasSize(1);
    assertThat(third.path(0).path("task").asText()).isEqualTo(cancelled);
    assertThat(third.path(0).path("state").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void reader_may_begin_at_the_end() {
    api.post("/api/v1/tasks", TASKS);
    read("?wait=20s");
    var end = read("?after=latest");
    assertThat(end.path("items")).isEmpty();
    assertThat(end.path("reset").asBoolean()).isFalse();
    assertThat(read("?after=" + end.path("next").asText()).path("items")).isEmpty();
  }

  @Test
  void cursor_that_the_feed_cannot_continue_gets_a_reset() {
    var reset = read("?after=999999999-0&wait=20s");
    assertThat(reset.path("reset").asBoolean()).isTrue();
    assertThat(reset.path("items")).isEmpty();
    assertThat(read("?after=" + reset.path("next").asText()).path("reset").asBoolean()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"?after=x", "?after=1", "?limit=0", "?limit=501", "?cursor=1-0"})
  void wrong_parameter_is_refused(String query) {
    assertThat(api.fetch("/api/v1/changes" + query).status()).isEqualTo(400);
  }

  private JsonNode read(String query) {
    var answer = api.fetch("/api/v1/changes" + query);
    assertThat(answer.status()).isEqualTo(200);
    return answer.json();
  }
}
