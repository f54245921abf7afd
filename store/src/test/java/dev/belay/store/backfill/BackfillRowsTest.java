package dev.belay.store.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.backfill.Existing.Found;
import dev.belay.domain.run.RunState;
import dev.belay.store.Sql;
import dev.belay.store.fixture.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of backfills, beside many runs that have ended. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BackfillRowsTest {

  private static final int FINISHED = 20_000;
  private static final String ID = "00000000-0000-0000-0000-0000000000b1";
  private static final String NEW =
      """
      INSERT INTO backfill (id, tenant, workflow, timing, from_at, to_at, forward, concurrency, existing, params, state, next_at,
                            total, created_at, created_by, ended_at, reason)
      VALUES ('%s', 'default', '%s', '{}', '2026-01-01Z', '2026-02-01Z', true, 1, 'missing', '{}', '%s', %s, 31, belay_now(), 'me',
              %s, %s)
      """;

  private final StoreFixture store = new StoreFixture();
  private String workflow = "";

  @BeforeAll
  void fill() {
    var run = store.openRun();
    workflow = store.text("SELECT workflow FROM run WHERE id = '%s'".formatted(run));
    store.run(NEW.formatted(ID, workflow, "RUNNING", "'2026-01-01Z'", "NULL", "NULL"));
    store.run(
        """
        INSERT INTO run (id, tenant, workflow_id, workflow, state, params, logical_date, created_at, created_by, started_at, ended_at,
                         backfill_id)
        SELECT md5('run' || n)::uuid, tenant, workflow_id, workflow, 'SUCCEEDED', '{}', '2026-01-01Z'::timestamptz + n * interval '1 min',
               created_at, 'backfill', belay_now(), belay_now(), '%s'
        FROM run, generate_series(1, %d) AS n
        WHERE id = '%s'
        """
            .formatted(ID, FINISHED, run));
    store.run("ANALYZE");
  }

  @AfterAll
  void close() {
    store.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "read_running",
        "read_existing",
        "complete_backfill",
        "cancel_queued",
        "read_open_runs"
      })
  void statement_of_the_leader_reads_no_ended_runs(String statement) {
    String sql =
        Sql.named("backfill/" + statement)
            .replaceAll(":instants", Matcher.quoteReplacement("'{2026-01-05Z,2026-01-06Z}'"))
            .replaceAll(":tenant", "'default'")
            .replaceAll(":workflow", "'" + workflow + "'")
            .replaceAll(":actor", "'me'")
            .replaceAll(":max", "10")
            .replaceAll(":(id|after)\\b", "'" + ID + "'");
    assertThat(store.text("EXPLAIN " + sql))
        .doesNotContain("Seq Scan on run")
        .containsAnyOf("run_open_of", "run_of_instant");
  }

  @Test
  void instants_with_a_run_are_found_and_a_run_for_the_time_of_its_trigger_is_none() {
    var has = Instant.parse("2026-01-01T00:01:00Z");
    var created =
        store
            .jdbi()
            .withHandle(
                handle ->
                    handle
                        .createQuery("SELECT created_at FROM run WHERE backfill_id IS NULL")
                        .mapTo(Instant.class)
                        .one());
    var found =
        store
            .jdbi()
            .withHandle(
                handle ->
                    new BackfillSql(handle)
                        .readExisting(
                            "default",
                            workflow,
                            List.of(has, Instant.parse("2025-01-01T00:00:00Z"), created)));
    assertThat(found).containsOnlyKeys(has).containsValue(new Found(RunState.SUCCEEDED));
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, NULL, belay_now(), NULL",
    "COMPLETED, NULL, NULL, NULL",
    "COMPLETED, '''2026-01-01Z''', belay_now(), NULL",
    "CANCELLED, NULL, belay_now(), NULL",
    "PAUSED, NULL, NULL, NULL",
    "RUNNING, '''2026-02-01Z''', NULL, NULL"
  })
  void row_that_contradicts_itself_is_refused(
      String state, String next, String ended, String reason) {
    String id = "00000000-0000-0000-0000-0000000000b2";
    assertThatThrownBy(() -> store.run(NEW.formatted(id, workflow, state, next, ended, reason)))
        .hasStackTraceContaining("violates check constraint");
  }

  @Test
  void ended_backfills_are_forgotten_with_their_decisions_and_others_stay() {
    String id = "00000000-0000-0000-0000-0000000000b3";
    store.run(
        NEW.formatted(id, "old", "COMPLETED", "NULL", "belay_now() - interval '2 days'", "NULL"));
    for (String each : List.of(ID, id)) {
      store.run(
          """
          INSERT INTO backfill_fire (backfill_id, at, outcome, reason, decided_at)
          SELECT '%s', '2026-01-01Z'::timestamptz + n * interval '1 hour', 'skipped', 'x', belay_now()
          FROM generate_series(1, 5) AS n
          """
              .formatted(each));
    }
    for (int i = 0; i < 3; i++) {
      store.jdbi().withHandle(handle -> OldBackfills.forget(handle, Duration.ofDays(1), 2));
    }
    assertThat(store.count("backfill")).isEqualTo(1);
    assertThat(store.count("backfill_fire")).isEqualTo(5);
    store.run("DELETE FROM backfill_fire");
  }
}
