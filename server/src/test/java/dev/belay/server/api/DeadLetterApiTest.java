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

/** Dead letters as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLetterApiTest {

  private static final String PATH = "/api/v1/dead-letters";

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

  private UUID letter(UUID task, String reason) {
    UUID id = api.store.ids().next();
    api.store.run(
        """
        INSERT INTO dead_letter (id, task_id, generation, tenant, pool, name, reason, detail, cause, fingerprint, request,
                                 attempts, created_at)
        VALUES ('%s', '%s', 1, 'default', 'default', 'report', '%s', 'no worker 7', 'no worker <n>', 'f1',
                '{"tenant": "default", "name": "report", "priority": 7, "pool": "default", "deadline_ms": null, "strict": false,
                  "labels": {"team": "data"}, "work": {"argv": ["true"]}, "queue": {"tenant":"default","pool":"default"},
                  "run": null}', 3, belay_now() - interval '2 days')
        """
            .formatted(id, task, reason));
    return id;
  }

  private UUID failed() {
    return api.store.task(TaskState.FAILED, null);
  }

  @Test
  void letters_are_listed_by_filter_and_grouped() {
    var first = letter(failed(), "no_workers");
    var second = letter(failed(), "dispatch_failed");
    var items = api.fetch(PATH).json().get("items");
    assertThat(items.get(0).get("id").asText()).isEqualTo(second.toString());
    assertThat(items.get(1).get("id").asText()).isEqualTo(first.toString());
    assertThat(items.get(1).has("request")).isFalse();
    assertThat(api.fetch(PATH + "?reason=no_workers&open=true").json().get("items")).hasSize(1);
    assertThat(api.fetch(PATH + "?open=false").json().get("items")).isEmpty();
    assertThat(api.fetch(PATH + "?fingerprint=f1&limit=1").json().get("next").isNull()).isFalse();
    assertThat(api.fetch(PATH + "?since=2999-01-01T00:00:00Z").json().get("items")).isEmpty();
    var groups = api.fetch("/api/v1/dead-letter-groups").json().get("items");
    assertThat(groups).hasSize(2);
    assertThat(groups.get(0).get("cause").asText()).isEqualTo("no worker <n>");
    var refused = api.fetch(PATH + "?reason=none");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("detail").asText()).contains("no_pool_mapping, no_workers");
  }

  @Test
  void a_letter_shows_its_request_and_its_retry_and_the_task_shows_both() {
    var task = failed();
    var id = letter(task, "no_workers");
    var shown = api.fetch(PATH + "/" + id).json();
    assertThat(shown.get("request").get("labels").get("team").asText()).isEqualTo("data");
    assertThat(shown.get("retried_as").isNull()).isTrue();
    assertThat(api.fetch("/api/v1/tasks/" + task).json().get("dead_letter").asText())
        .isEqualTo(id.toString());

    var retried = api.post(PATH + "/" + id + "/retry", "");
    assertThat(retried.status()).isEqualTo(201);
    var as = retried.json().get("task").asText();
    assertThat(retried.json().get("answer").asText()).isEqualTo("submitted");
    var made = api.fetch("/api/v1/tasks/" + as).json();
    assertThat(made.get("priority").asInt()).isEqualTo(7);
    assertThat(made.get("labels").get("team").asText()).isEqualTo("data");
    assertThat(made.get("retry_of").asText()).isEqualTo(id.toString());
    assertThat(api.fetch(PATH + "/" + id).json().get("retried_as").asText()).isEqualTo(as);

    var again = api.post(PATH + "/" + id + "/retry", "");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.json().get("detail").asText()).contains("was retried as the task " + as);
    assertThat(api.post(PATH + "/" + UUID.randomUUID() + "/retry", "").status()).isEqualTo(404);
    assertThat(api.fetch(PATH + "/" + UUID.randomUUID()).status()).isEqualTo(404);
  }

  @Test
  void old_letters_are_counted_and_then_removed() {
    letter(failed(), "no_workers");
    letter(failed(), "no_workers");
    var counted = api.post(PATH + "/purge", "{\"older_than\": \"1d\", \"dry_run\": true}").json();
    assertThat(counted.get("would_remove").asInt()).isEqualTo(2);
    assertThat(counted.get("open").asInt()).isEqualTo(2);
    var young = api.post(PATH + "/purge", "{\"older_than\": \"3d\"}").json();
    assertThat(young.get("removed").asInt()).isZero();
    var removed = api.post(PATH + "/purge", "{\"older_than\": \"1d\"}").json();
    assertThat(removed.get("removed").asInt()).isEqualTo(2);
    assertThat(removed.get("more").asBoolean()).isFalse();
    assertThat(api.fetch(PATH).json().get("items")).isEmpty();
    for (var body :
        new String[] {"{}", "{\"older_than\": 3}", "{\"older_than\": \"1d\", \"x\": 1}"}) {
      assertThat(api.post(PATH + "/purge", body).status()).as(body).isEqualTo(422);
    }
  }
}
