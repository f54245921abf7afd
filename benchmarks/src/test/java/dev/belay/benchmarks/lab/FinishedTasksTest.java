package dev.belay.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FinishedTasksTest {

  private static final int TASKS = 20_000;

  private Postgres postgres;
  private Address database;

  @BeforeAll
  void fill(@TempDir Path folder) throws Exception {
    postgres = Postgres.embedded(folder);
    database = postgres.create("filled");
    FinishedTasks.fill(database, TASKS);
  }

  @AfterAll
  void close() throws SQLException {
    postgres.close();
  }

  private long count(String from) throws SQLException {
    return database.number("SELECT count(*) FROM " + from);
  }

  @Test
  void all_tasks_have_ended_and_some_failed() throws SQLException {
    assertThat(count("task WHERE state = 'FAILED'")).isEqualTo(22);
    assertThat(count("task WHERE state = 'SUCCEEDED'")).isEqualTo(TASKS - 22);
    assertThat(count("task JOIN task_payload ON task_id = id")).isEqualTo(TASKS);
  }

  @Test
  void tenth_of_the_tasks_is_in_runs_of_ten() throws SQLException {
    assertThat(count("run")).isEqualTo(TASKS / 100);
    assertThat(count("run WHERE state = 'FAILED'")).isEqualTo(2);
    assertThat(count("(SELECT 1 FROM task JOIN run ON run.id = run_id GROUP BY run_id) AS r"))
        .isEqualTo(TASKS / 100);
    assertThat(count("task WHERE run_id IS NOT NULL")).isEqualTo(TASKS / 10);
  }

  @Test
  void every_attempt_is_there() throws SQLException {
    assertThat(count("attempt")).isEqualTo(TASKS + TASKS / 100);
    assertThat(count("attempt WHERE number = 2")).isEqualTo(TASKS / 100);
  }

  @Test
  void every_history_begins_fits_together_and_ends() throws SQLException {
    String steps =
        "(SELECT task_id, from_state, to_state, lag(to_state) OVER each AS before,"
            + " lead(to_state) OVER each AS next FROM history WINDOW each AS (PARTITION BY task_id"
            + " ORDER BY history.id)) AS step";
    assertThat(count(steps + " WHERE from_state IS NULL")).isEqualTo(TASKS);
    assertThat(count(steps + " WHERE from_state IS DISTINCT FROM before")).isZero();
    assertThat(
            count(
                steps + " JOIN task ON task.id = task_id WHERE next IS NULL AND to_state = state"))
        .isEqualTo(TASKS);
  }
}
