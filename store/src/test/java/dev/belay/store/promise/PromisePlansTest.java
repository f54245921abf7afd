package dev.belay.store.promise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.Sql;
import dev.belay.store.fixture.StoreFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cost follows what is due, not history: among many ended runs, each read uses its index. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PromisePlansTest {

  private final StoreFixture store = new StoreFixture();

  @BeforeAll
  void fill() {
    var open = store.openRun();
    store.run(
        """
        INSERT INTO run (id, tenant, workflow_id, workflow, state, params, logical_date, created_at, created_by, started_at,
          ended_at, timeout_at, deadline_at)
        SELECT gen_random_uuid(), 'default', workflow_id, 'w', 'SUCCEEDED', '{}', at, at, 'test', at, at, at, at
        FROM run, generate_series(1, 20000) AS n, LATERAL (SELECT belay_now() - n * interval '1 minute' AS at) AS clock
        WHERE run.id = '%s'\
        """
            .formatted(open),
        "INSERT INTO trigger VALUES (gen_random_uuid(), 'default', 'w', 't', belay_now())",
        """
        INSERT INTO fire (trigger_id, at, due_at, outcome, run_id, decided_at)
        SELECT id, at, at, 'fired', id, at
        FROM trigger, generate_series(1, 20000) AS n, LATERAL (SELECT belay_now() - n * interval '1 minute' AS at) AS clock\
        """,
        "ANALYZE");
  }

  @AfterAll
  void close() {
    store.close();
  }

  @ParameterizedTest
  @CsvSource({
    "read_next, run_timeout run_deadline",
    "time_out_runs, run_timeout",
    "read_overdue, run_deadline",
    "read_found, run_succeeded",
    "read_late, fire_decided",
    "summarize_promises, run_promised run_deadline_missed fire_decided"
  })
  void read_uses_its_indexes(String statement, String indexes) {
    String plan = explain(Sql.named("promise/" + statement));
    for (String index : indexes.split(" ")) {
      assertThat(plan).containsPattern(" using " + index + "\\b|Bitmap Index Scan on " + index);
    }
    assertThat(plan).doesNotContain("Seq Scan on run", "Seq Scan on fire");
  }

  private String explain(String sql) {
    String filled =
        sql.replace(":max", "100")
            .replace(":versions", "ARRAY[gen_random_uuid()]")
            .replace(":tenants", "ARRAY['default']")
            .replace(":workflows", "ARRAY['w']")
            .replace(":afters", "ARRAY[belay_now() - interval '1 day']")
            .replace(":up_tos", "ARRAY[belay_now()]")
            .replace(":since", "belay_now()")
            .replace(":promised_ms", "1000")
            .replace(":window_ms", "3600000")
            .replace(":runs", "1000");
    return store.text("EXPLAIN " + filled);
  }
}
