package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.task.TaskState;
import dev.belay.store.recovery.RecoverySql;
import java.nio.file.Path;
import java.time.Duration;
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

/** Promised and measured times as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecoveryApiTest {

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
  void kinds_that_never_happened_are_listed_with_their_promise() {
    var summary = api.fetch("/api/v1/recovery").json();
    assertThat(summary.get("window").asText()).isEqualTo("7d");
    assertThat(summary.get("kinds")).hasSize(RecoveryKind.values().length);
    var gone = summary.get("kinds").get(0);
    assertThat(gone.get("kind").asText()).isEqualTo("agent_closed");
    assertThat(gone.get("reason").asText()).isEqualTo("agent_lost");
    assertThat(gone.get("promised_ms").asLong()).isEqualTo(20_000);
    assertThat(gone.get("count").asLong()).isZero();
    assertThat(gone.get("detected").get("p99_ms").isNull()).isTrue();
  }

  @Test
  void summary_counts_what_is_in_the_window() {
    found(api.store.task(TaskState.SCHEDULED, null), Duration.ofMillis(15_500));
    found(api.store.task(TaskState.SCHEDULED, null), Duration.ofSeconds(30));
    var gone = api.fetch("/api/v1/recovery?window=90d").json();
    assertThat(gone.get("count").asLong()).isEqualTo(2);
    assertThat(gone.get("late").asLong()).isEqualTo(1);
    var detected = gone.get("kinds").get(0).get("detected");
    assertThat(detected.get("p50_ms").asLong()).isEqualTo(15_500);
    assertThat(detected.get("worst_ms").asLong()).isEqualTo(30_000);
    assertThat(gone.get("kinds").get(0).get("open").asLong()).isEqualTo(2);
    assertThat(gone.get("kinds").get(0).get("running_again").get("count").asLong()).isZero();
    api.store.run("UPDATE recovery SET detected_at = detected_at - interval '2 h'");
    assertThat(api.fetch("/api/v1/recovery?window=1h").json().get("count").asLong()).isZero();
  }

  @Test
  void lateness_shows_triggers_and_promises_also_when_nothing_happened() {
    var empty = api.fetch("/api/v1/lateness").json();
    assertThat(empty.get("window").asText()).isEqualTo("7d");
    assertThat(empty.get("promised_ms").asLong()).isEqualTo(1_000);
    assertThat(empty.get("count").asLong()).isZero();
    assertThat(empty.get("worst_ms").isNull()).isTrue();
    assertThat(empty.get("triggers")).isEmpty();
    assertThat(empty.get("promises"))
        .extracting(promise -> promise.get("promise").asText())
        .containsExactly("timeout", "deadline", "expect_by");
    api.store.run(
        "INSERT INTO trigger VALUES ('%s', 'default', 'w', 'nightly', belay_now())"
            .formatted(new UUID(0, 1)),
        """
        INSERT INTO fire (trigger_id, at, due_at, outcome, run_id, decided_at)
        SELECT '%s', now - interval '5 s', now - interval '4 s', 'fired', '%s', now
        FROM (SELECT belay_now() AS now) AS clock\
        """
            .formatted(new UUID(0, 1), new UUID(0, 2)));
    var late = api.fetch("/api/v1/lateness?window=1h").json();
    assertThat(late.get("late").asLong()).isEqualTo(1);
    assertThat(late.get("p99_ms").asLong()).isEqualTo(4_000);
    assertThat(late.get("triggers").get(0).get("trigger").asText()).isEqualTo("nightly");
    assertThat(late.get("triggers").get(0).get("worst_ms").asLong()).isEqualTo(4_000);
    assertThat(api.fetch("/api/v1/lateness?window=soon").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "0s", "91d", "7"})
  void window_that_makes_no_sense_is_refused(String window) {
    var answer = api.fetch("/api/v1/recovery?window=" + window);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("detail").asText())
        .isEqualTo(
            "The parameter window is '%s'; it must be a duration like 7d, at most 90d."
                .formatted(window));
  }

  @ParameterizedTest
  @ValueSource(strings = {"recovery/events", "alerts"})
  void lists_are_paged_and_refuse_what_is_no_page(String list) {
    for (int i = 0; i < 7; i++) {
      found(api.store.task(TaskState.SCHEDULED, null), Duration.ofSeconds(21 + i));
    }
    var seen = new ArrayList<Long>();
    var cursor = "";
    do {
      var page = api.fetch("/api/v1/" + list + "?limit=3" + cursor).json();
      page.get("items").forEach(item -> seen.add(item.get("id").asLong()));
      cursor = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asText();
    } while (!cursor.isEmpty());
    assertThat(seen).hasSize(7).doesNotHaveDuplicates();
    for (var query : new String[] {"limit=0", "limit=501", "cursor=x", "cursor=0"}) {
      var answer = api.fetch("/api/v1/" + list + "?" + query);
      assertThat(answer.status()).as(query).isEqualTo(400);
      assertThat(answer.json().get("detail").asText()).contains("it must be a number from 1 to");
    }
  }

  @Test
  void event_and_alert_name_the_task() {
    var task = api.store.task(TaskState.SCHEDULED, null);
    found(task, Duration.ofSeconds(21));
    var event = api.fetch("/api/v1/recovery/events").json().get("items").get(0);
    assertThat(event.get("task").asText()).isEqualTo(task.toString());
    assertThat(event.get("task_name").asText()).isEqualTo("t-" + task);
    assertThat(event.get("detected_ms").asLong()).isEqualTo(21_000);
    assertThat(event.get("late").asBoolean() && event.get("open").asBoolean()).isTrue();
    assertThat(event.get("running_again_at").isNull()).isTrue();
    var alert = api.fetch("/api/v1/alerts").json().get("items").get(0);
    assertThat(alert.get("kind").asText()).isEqualTo("recovery_late");
    assertThat(alert.get("detail").asText()).contains(task.toString());
    assertThat(alert.get("at").asText()).endsWith("Z");
  }

  private void found(UUID task, Duration since) {
    var kind = RecoveryKind.AGENT_CLOSED;
    var one =
        new Recovered(kind, new TaskId(task), null, null, null, since, Promises.DEFAULT.of(kind));
    api.store.jdbi().useHandle(handle -> new RecoverySql(handle).record(List.of(one)));
  }
}
