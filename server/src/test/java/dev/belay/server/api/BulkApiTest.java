package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.task.TaskState;
import dev.belay.server.api.ApiFixture.Answer;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bulk operations as a caller sees them; no leader works them off here. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BulkApiTest {

  private static final String PATH = "/api/v1/bulk";

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder, "bulk-running-max=2");
  }

  @BeforeEach
  void empty() {
    api.store.clear();
    api.store.run("DELETE FROM bulk_operation");
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private Answer ask(String fields, String... headers) {
    return api.post(PATH, "{" + fields.replace('\'', '"') + "}", headers);
  }

  @Test
  void dry_run_shows_what_matches_and_starts_nothing() {
    for (int i = 0; i < 12; i++) {
      api.store.task(TaskState.FAILED, null);
    }
    var answer = ask("'kind':'retry','filter':{'created_since':'24h'},'dry_run':true");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    var preview = answer.json().get("preview");
    assertThat(preview.get("matches").asInt()).isEqualTo(12);
    assertThat(preview.get("counted_all").asBoolean()).isTrue();
    assertThat(preview.get("sample")).hasSize(10);
    assertThat(preview.get("sample").get(0).get("state").asText()).isEqualTo("FAILED");
    assertThat(api.store.count("bulk_operation")).isZero();
  }

  @Test
  void started_operation_is_shown_and_the_same_key_finds_it() {
    api.store.task(TaskState.SCHEDULED, null);
    var fields = "'kind':'priority','priority':90,'filter':{'state':['scheduled']},'rate':2.5";
    var started = ask(fields, "Idempotency-Key", "b1");
    assertThat(started.status()).as(started.text()).isEqualTo(201);
    var bulk = started.json();
    assertThat(bulk.get("state").asText()).isEqualTo("RUNNING");
    assertThat(bulk.get("rate").asDouble()).isEqualTo(2.5);
    assertThat(bulk.get("priority").asInt()).isEqualTo(90);
    assertThat(bulk.get("preview").get("matches").asInt()).isEqualTo(1);
    assertThat(bulk.get("note").asText()).isEqualTo("bulk " + bulk.get("id").asText());
    assertThat(ask(fields, "Idempotency-Key", "b1").json().get("id")).isEqualTo(bulk.get("id"));
    assertThat(ask(fields + ",'note':'x'", "Idempotency-Key", "b1").status()).isEqualTo(409);
    var listed = api.fetch(PATH).json().get("items");
    assertThat(listed).hasSize(1);
    assertThat(api.fetch(PATH + "/" + bulk.get("id").asText()).json()).isEqualTo(listed.get(0));
  }

  @Test
  void operation_is_cancelled_once_and_for_all() {
    var id = ask("'kind':'cancel','filter':{'name':'x'}").json().get("id").asText();
    var path = PATH + "/" + id + "/cancel";
    assertThat(api.post(path, "").json().get("state").asText()).isEqualTo("CANCELLED");
    assertThat(api.post(path, "").status()).isEqualTo(200);
    api.store.run("UPDATE bulk_operation SET state = 'DONE', reason = NULL");
    assertThat(api.post(path, "").status()).isEqualTo(409);
    assertThat(api.post(PATH + "/" + UUID.randomUUID() + "/cancel", "").status()).isEqualTo(404);
  }

  @Test
  void too_many_at_once_are_refused() {
    var fields = "'kind':'cancel','filter':{'name':'x'}";
    assertThat(ask(fields).status()).isEqualTo(201);
    assertThat(ask(fields).status()).isEqualTo(201);
    var refused = ask(fields);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.text()).contains("(2)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'filter':{'name':'x'} | kind",
        "'kind':'explode','filter':{'name':'x'} | cancel_runs",
        "'kind':'cancel' | filter",
        "'kind':'cancel','filter':{} | everything",
        "'kind':'cancel','filter':{'tenant':'default'} | everything",
        "'kind':'cancel','filter':{'state':'FAILED'} | SCHEDULED",
        "'kind':'retry','filter':{'state':['SUCCEEDED']} | TIMEOUT",
        "'kind':'priority','filter':{'name':'x'} | priority",
        "'kind':'priority','priority':0,'filter':{'name':'x'} | 100",
        "'kind':'cancel','priority':5,'filter':{'name':'x'} | priority",
        "'kind':'cancel_runs','filter':{'pool':'x'} | tasks",
        "'kind':'cancel','filter':{'run':'x'} | run",
        "'kind':'cancel','filter':{'created_since':'soon'} | age",
        "'kind':'cancel','filter':{'labels':{'a':1}} | text",
        "'kind':'cancel','filter':{'name':'x'},'rate':0 | second",
        "'kind':'cancel','filter':{'colour':'x'} | unknown filter",
        "'kind':'cancel','filter':{'name':'x'},'colour':'x' | unknown field"
      })
  void request_that_means_nothing_is_refused_with_a_hint(String fields, String hint) {
    var refused = ask(fields);
    assertThat(refused.status()).as(refused.text()).isEqualTo(422);
    assertThat(refused.text()).contains(hint);
    assertThat(api.store.count("bulk_operation")).isZero();
  }
}
