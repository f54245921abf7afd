package dev.belay.store.partition;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.Ids;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchemaTest {

  private static final LocalDate WEDNESDAY = LocalDate.of(2026, 3, 4);

  private final LiveStore store = new LiveStore();

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void states_in_java_are_those_in_postgres() {
    assertThat(enumOf("task_state")).isEqualTo(names(TaskState.values()));
    assertThat(enumOf("run_state")).isEqualTo(names(RunState.values()));
  }

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void task_has_an_end_if_and_only_if_its_state_is_terminal(TaskState state) {
    var task = store.rows().task(state, null);
    var opposite = state.isTerminal() ? "NULL" : "belay_now()";
    refused("UPDATE task SET ended_at = " + opposite + " WHERE id = '" + task + "'");
  }

  @ParameterizedTest
  @EnumSource(RunState.class)
  void run_has_an_end_if_and_only_if_its_state_is_terminal(RunState state) {
    var run = store.rows().openRun();
    var end = state.isTerminal() ? "belay_now()" : "NULL";
    var opposite = state.isTerminal() ? "NULL" : "belay_now()";
    var update = "UPDATE run SET state = '" + state + "', ended_at = %s WHERE id = '" + run + "'";
    refused(update.formatted(opposite));
    store.rows().run(update.formatted(end));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dispatch_id = NULL, fencing_token = 0",
        "worker_id = NULL",
        "session_id = NULL",
        "dispatched_at = NULL",
        "started_at = NULL",
        "state = 'DISPATCHED'",
        "fencing_token = 0",
        "dispatch_id = NULL",
        "priority = 0",
        "priority = 101",
        "map_index = -2",
        "generation = 0",
      })
  void running_task_has_all_that_makes_it_run(String change) {
    var task = store.rows().task(TaskState.RUNNING, null);
    refused("UPDATE task SET " + change + " WHERE id = '" + task + "'");
  }

  @Test
  void fence_without_a_dispatch_is_refused() {
    var task = store.rows().task(TaskState.SCHEDULED, null);
    refused("UPDATE task SET fencing_token = 1 WHERE id = '" + task + "'");
    refused("UPDATE task SET dispatch_id = id WHERE id = '" + task + "'");
  }

  @Test
  void attempt_ends_with_a_reason_and_only_then() {
    store.rows().task(TaskState.RUNNING, null);
    refused("UPDATE attempt SET ended_at = belay_now()");
    refused("UPDATE attempt SET end_reason = 'x'");
  }

  @Test
  void run_and_worker_rows_say_when_and_who() {
    store.rows().openRun();
    refused("UPDATE run SET started_at = NULL");
    refused("UPDATE run SET cancel_requested_at = belay_now()");
    refused("UPDATE run SET cancel_requested_by = 'me'");
    store.rows().worker();
    refused("UPDATE worker SET state = 'DISCONNECTED'");
    refused("UPDATE worker SET disconnected_at = belay_now()");
    refused("UPDATE worker SET state = 'GONE'");
    refused("UPDATE worker SET slots = 0");
  }

  @Test
  void second_row_of_leadership_is_refused() {
    assertThatThrownBy(() -> store.rows().run("INSERT INTO leadership (epoch) VALUES (1)"))
        .hasStackTraceContaining("duplicate key");
    refused("INSERT INTO leadership (singleton, epoch) VALUES (false, 1)");
  }

  @Test
  void partitions_are_made_once_and_rows_go_to_their_week() {
    var partitions = new Partitions(store.jdbi());
    partitions.ensure(WEDNESDAY, 1);
    var made = partitions();
    partitions.ensure(WEDNESDAY.plusDays(4), 1);
    assertThat(partitions()).isEqualTo(made);
    assertThat(made.lines())
        .contains("attempt_20260302", "attempt_20260309", "history_20260302", "history_20260309");
    assertThat(place(LocalDateTime.of(2026, 3, 1, 23, 59, 59)))
        .isEqualTo("attempt_default history_default");
    assertThat(place(LocalDateTime.of(2026, 3, 2, 0, 0)))
        .isEqualTo("attempt_20260302 history_20260302");
    assertThat(place(LocalDateTime.of(2026, 3, 8, 23, 59, 59)))
        .isEqualTo("attempt_20260302 history_20260302");
    assertThat(place(LocalDateTime.of(2026, 3, 9, 0, 0)))
        .isEqualTo("attempt_20260309 history_20260309");
  }

  /** The week's rows are already in the default partition: they stay, and no insert fails. */
  @Test
  void partition_that_comes_too_late_is_not_made() {
    var late = LocalDate.of(2027, 6, 9);
    place(late.atStartOfDay());
    new Partitions(store.jdbi()).ensure(late, 0);
    assertThat(partitions()).doesNotContain("20270607");
    assertThat(place(late.atStartOfDay())).isEqualTo("attempt_default history_default");
  }

  /** Creating one locks the whole table: behind a long read, everyone else would wait too. */
  @Test
  void making_a_partition_does_not_wait_for_long() {
    var week = LocalDate.of(2028, 1, 5);
    try (var reader = new Race(store.rows(), "LOCK TABLE attempt IN ACCESS SHARE MODE")) {
      Race.result(
          reader.start(
              () -> {
                new Partitions(store.jdbi()).ensure(week, 0);
                return "";
              }));
      assertThat(partitions()).contains("history_20280103").doesNotContain("attempt_20280103");
      reader.release();
    }
    new Partitions(store.jdbi()).ensure(week, 0);
    assertThat(partitions()).contains("attempt_20280103");
  }

  @Test
  void claim_before_any_partition_is_made_goes_to_the_default_one() {
    var worker = store.newWorker();
    var dispatch = store.claim(worker, store.submit(RETRIES));
    assertThat(store.attempt(dispatch, "tableoid::regclass")).isEqualTo("attempt_default");
  }

  /** The partitions of an attempt and a history row of this time. */
  private String place(LocalDateTime at) {
    var instant = at.toInstant(ZoneOffset.UTC);
    UUID dispatch = Ids.v7(instant.toEpochMilli(), 0, store.ids().next().getLeastSignificantBits());
    store
        .rows()
        .run(
            """
            INSERT INTO attempt (dispatch_id, task_id, number, generation, worker_id, session_id, epoch, dispatched_at)
            VALUES ('%1$s', '%1$s', 1, 1, '%1$s', '%1$s', 1, '%2$s')\
            """
                .formatted(dispatch, instant));
    store
        .rows()
        .run(
            """
            INSERT INTO history (task_id, from_state, to_state, reason, actor, at)
            VALUES ('%s', NULL, 'SCHEDULED', 'test', 'test', '%s')\
            """
                .formatted(dispatch, instant));
    return store
        .rows()
        .text(
            """
            SELECT a.tableoid::regclass || ' ' || h.tableoid::regclass
            FROM attempt a JOIN history h USING (task_id) WHERE task_id = '%s'\
            """
                .formatted(dispatch));
  }

  private String partitions() {
    return store
        .rows()
        .text(
            "SELECT inhrelid::regclass FROM pg_inherits JOIN pg_class ON oid = inhrelid"
                + " WHERE relkind = 'r' AND inhparent IN ('attempt'::regclass, 'history'::regclass)"
                + " ORDER BY inhrelid::regclass::text");
  }

  private String enumOf(String type) {
    return store.rows().text("SELECT unnest(enum_range(NULL::" + type + "))");
  }

  private static String names(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).collect(Collectors.joining("\n"));
  }

  private void refused(String sql) {
    assertThatThrownBy(() -> store.rows().run(sql))
        .hasStackTraceContaining("violates check constraint");
  }
}
