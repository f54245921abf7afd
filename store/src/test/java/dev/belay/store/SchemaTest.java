package dev.belay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.store.fixture.LiveStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final Pattern NUMBER = Pattern.compile("V(\\d+)__.*\\.sql");

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
  void this_server_knows_the_newest_migration() throws IOException {
    try (var files = Files.list(Path.of("src/main/resources/db/migration"))) {
      int newest =
          files
              .map(file -> NUMBER.matcher(file.getFileName().toString()))
              .filter(Matcher::matches)
              .mapToInt(matched -> Integer.parseInt(matched.group(1)))
              .max()
              .orElseThrow();
      assertThat(newest).isEqualTo(Migrations.NEWEST);
    }
  }

  @Test
  void states_in_java_are_those_in_postgres() {
    assertThat(enumOf("task_state")).isEqualTo(names(TaskState.values()));
    assertThat(enumOf("run_state")).isEqualTo(names(RunState.values()));
  }

  @Test
  void analyze_reads_few_rows_of_the_tables_that_change_all_the_time() {
    List<String> costly =
        store
            .jdbi()
            .withHandle(
                handle ->
                    handle
                        .createQuery(
                            """
                            SELECT attrelid::regclass || '.' || attname
                            FROM pg_attribute
                            WHERE attrelid IN ('task'::regclass, 'feed'::regclass) AND attnum > 0
                              AND NOT attisdropped
                              AND coalesce(attstattarget, 100) NOT BETWEEN 0 AND 10
                            """)
                        .mapTo(String.class)
                        .list());
    assertThat(costly).isEmpty();
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
        "attempt_ended_at = belay_now(), end_reason = 'x'",
        "epoch = NULL",
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
  void dispatch_without_a_worker_is_refused() {
    var task = store.rows().task(TaskState.SCHEDULED, null);
    refused("UPDATE task SET dispatch_id = id WHERE id = '" + task + "'");
  }

  @Test
  void attempt_ends_with_a_reason_and_only_then() {
    store.rows().task(TaskState.RUNNING, null);
    refused("UPDATE task SET attempt_ended_at = belay_now()");
    refused("UPDATE task SET end_reason = 'x'");
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
