package dev.belay.store.retention;

import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.LeaseLost;
import dev.belay.engine.port.LeaseStore.Acquired;
import dev.belay.engine.port.LeaseToken;
import dev.belay.engine.steer.RunRetry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Settlement;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.lease.PostgresLeases;
import dev.belay.store.retention.FinishedRows.Kind;
import dev.belay.store.retention.FinishedRows.Row;
import dev.belay.store.retention.FinishedRows.Scan;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FinishedRowsTest {

  private static final Instant BEFORE = Instant.parse("2010-01-01T00:00:00Z");
  private static final String OLD = "2009-12-31 23:59:59.999999Z";
  private static final String YOUNG = "2010-01-01 00:00:00Z";
  private static final int MANY = 1_000;
  private static final JsonMapper JSON = new JsonMapper();

  /** All ids are of 2001, so that only the time of an end decides. */
  private final LiveStore store = new LiveStore(new StoreFixture(1_000_000_000_000L));

  private final StoreFixture rows = store.rows();
  private final FinishedRows finished = new FinishedRows(store.jdbi());

  @BeforeEach
  void clear() {
    store.clear();
    rows.worker();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void only_what_ended_before_the_limit_is_due() {
    List<UUID> old = new ArrayList<>();
    for (TaskState state : TaskState.values()) {
      UUID task = rows.task(state, null);
      if (state.isTerminal()) {
        old.add(ended(task, OLD));
        ended(rows.task(state, null), YOUNG);
      }
    }
    assertThat(due(Kind.TASK)).containsExactlyElementsOf(old);
  }

  @Test
  void a_task_is_due_with_its_run_and_a_run_only_when_it_ended() {
    UUID open = rows.openRun();
    UUID young = endedRun(YOUNG);
    UUID old = endedRun(OLD);
    for (UUID run : List.of(open, young)) {
      ended(rows.task(TaskState.SUCCEEDED, run), OLD);
    }
    UUID task = ended(rows.task(TaskState.FAILED, old), OLD);
    UUID ofRemovedRun = ended(rows.task(TaskState.FAILED, rows.ids().next()), OLD);

    assertThat(due(Kind.RUN)).containsExactly(old);
    assertThat(due(Kind.TASK)).containsExactly(task, ofRemovedRun);
  }

  @Test
  void nothing_with_an_id_from_after_the_limit_is_examined() {
    String late = "01989800-0000-7000-8000-000000000000";
    UUID task = ended(rows.task(TaskState.SUCCEEDED, null), OLD);
    rows.run("UPDATE task SET id = '%s' WHERE id = '%s'".formatted(late, task));
    assertThat(due(Kind.TASK)).isEmpty();
  }

  @Test
  void a_scan_examines_a_bounded_number_and_continues_after_them() {
    List<UUID> tasks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      tasks.add(ended(rows.task(TaskState.SUCCEEDED, null), OLD));
      rows.task(TaskState.SCHEDULED, null);
    }
    List<UUID> found = new ArrayList<>();
    int scans = 0;
    for (UUID after = FinishedRows.FIRST; after != null; scans++) {
      Scan scan = finished.scan(Kind.TASK, BEFORE, after, 4);
      assertThat(scan.due()).hasSizeLessThanOrEqualTo(4);
      scan.due().forEach(row -> found.add(row.id()));
      after = scan.next().orElse(null);
    }
    assertThat(found).isEqualTo(tasks);
    assertThat(scans).isEqualTo(3);
  }

  @Test
  void a_task_goes_with_its_payload_attempts_and_steps_and_others_keep_theirs() {
    Peer worker = store.newWorker();
    UUID gone = lived(worker).value();
    UUID kept = lived(worker).value();
    ended(gone, OLD);
    assertThat(finished.remove(Kind.TASK, scan(Kind.TASK))).containsExactly(gone);
    for (String table : List.of("task_payload", "past_attempt", "step", "attempt", "history")) {
      assertThat(rows.text("SELECT DISTINCT task_id FROM " + table))
          .as(table)
          .isEqualTo(kept.toString());
    }
    assertThat(rows.text("SELECT id FROM task")).isEqualTo(kept.toString());
  }

  /** Two attempts, the second with success. */
  private TaskId lived(Peer worker) {
    TaskId task = store.submit(LiveStore.RETRIES);
    var first = store.claim(worker, task);
    store.results.write(List.of(store.started(worker, first), store.lost(worker, first)));
    rows.run("UPDATE task SET not_before = belay_now() WHERE id = '" + task + "'");
    store.due.promote(store.epoch(), MANY);
    var second = store.claim(worker, task);
    store.results.write(List.of(store.started(worker, second)));
    store.results.write(List.of(store.exited(worker, second, 0)));
    assertThat(store.task(task)).isEqualTo("SUCCEEDED exit_code: 0");
    return task;
  }

  @Test
  void a_line_has_the_payload_the_attempts_and_the_history() throws IOException {
    TaskId task = lived(store.newWorker());
    rows.run(
        "UPDATE task_payload SET work = '{\"argv\": [\"a\\nb\", 1.25]}'",
        "UPDATE task SET note = E'two\\nlines'");
    JsonNode line = line(Kind.TASK, task.value());
    assertThat(line.get("kind").asText()).isEqualTo("task");
    assertThat(line.get("id").asText()).isEqualTo(task.toString());
    assertThat(line.get("work").get("argv").get(0).asText()).isEqualTo("a\nb");
    assertThat(line.get("note").asText()).isEqualTo("two\nlines");
    assertThat(line.get("attempts").findValuesAsText("number")).containsExactly("1", "2");
    assertThat(String.join(" ", line.get("history").findValuesAsText("to")))
        .isEqualTo(store.path(task));
    assertThat(line.get("ended_at").asText())
        .endsWith("+00:00")
        .startsWith(
            store.task(task, "to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI')"));
  }

  @Test
  void the_line_of_a_run_has_its_params_and_history() throws IOException {
    UUID run = endedRun(OLD);
    rows.run(
        "UPDATE run SET params = '{\"n\": 1}'",
        "INSERT INTO run_history (run_id, to_state, reason, actor, at) VALUES ('%s', 'QUEUED', 'triggered', 'ann', belay_now())"
            .formatted(run));
    JsonNode line = line(Kind.RUN, run);
    assertThat(line.get("kind").asText()).isEqualTo("run");
    assertThat(line.get("params").get("n").asInt()).isEqualTo(1);
    assertThat(line.get("history").get(0).get("actor").asText()).isEqualTo("ann");
    assertThat(line.get("row_version").asLong()).isEqualTo(scan(Kind.RUN).getFirst().rowVersion());
  }

  private JsonNode line(Kind kind, UUID id) throws IOException {
    List<String> lines = new ArrayList<>();
    finished.lines(kind, List.of(id), line -> lines.add(line.json()));
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst()).doesNotContain("\n");
    return JSON.readTree(lines.getFirst());
  }

  @Test
  void a_row_that_changed_since_it_was_read_stays() {
    UUID noted = ended(rows.task(TaskState.FAILED, null), OLD);
    UUID run = endedRun(OLD);
    List<Row> tasks = scan(Kind.TASK);
    List<Row> runs = scan(Kind.RUN);
    rows.run(
        "UPDATE task SET note = 'keep' WHERE id = '" + noted + "'", "UPDATE run SET params = '{}'");
    assertThat(finished.remove(Kind.TASK, tasks)).isEmpty();
    assertThat(finished.remove(Kind.RUN, runs)).isEmpty();
    assertThat(rows.count("task")).isEqualTo(1);
    assertThat(rows.count("run")).isEqualTo(1);
    assertThat(finished.remove(Kind.RUN, scan(Kind.RUN))).containsExactly(run);
  }

  @Test
  void tasks_of_a_run_go_only_after_the_run() {
    UUID run = failedRun();
    List<Row> tasks = scan(Kind.TASK);
    assertThat(tasks).hasSize(3);
    assertThat(finished.remove(Kind.TASK, tasks)).isEmpty();

    assertThat(finished.remove(Kind.RUN, scan(Kind.RUN))).containsExactly(run);
    assertThat(rows.count("run_history")).isZero();
    assertThat(finished.tasksOf(List.of(run), BEFORE, 2)).hasSize(2);
    assertThat(finished.remove(Kind.TASK, finished.tasksOf(List.of(run), BEFORE, MANY))).hasSize(3);
    assertThat(rows.count("task")).isZero();
  }

  @Test
  void a_retry_that_is_first_keeps_the_whole_run() {
    UUID run = failedRun();
    List<Row> due = scan(Kind.RUN);
    try (var race = new Race(rows, "SELECT FROM run FOR UPDATE")) {
      var retry = race.next(() -> store.steering.retryRun(new RunId(run), "ann"));
      assertThat(finished.remove(Kind.RUN, due)).isEmpty();
      race.release();
      assertThat(result(retry)).isEqualTo(new RunRetry.Done(3));
    }
    assertThat(finished.remove(Kind.RUN, due)).isEmpty();
    assertThat(due(Kind.RUN)).isEmpty();
    assertThat(due(Kind.TASK)).isEmpty();
    assertThat(rows.text("SELECT state FROM run")).isEqualTo("QUEUED");
    assertThat(rows.text("SELECT DISTINCT state FROM task")).isEqualTo("WAITING");
  }

  @Test
  void a_retry_that_comes_after_the_removal_of_the_run_changes_nothing() {
    UUID run = failedRun();
    List<Row> due = scan(Kind.RUN);
    try (var race = new Race(rows, "SELECT FROM task FOR UPDATE")) {
      var retry = race.next(() -> store.steering.retryRun(new RunId(run), "ann"));
      assertThat(finished.remove(Kind.RUN, due)).containsExactly(run);
      List<Row> tasks = finished.tasksOf(List.of(run), BEFORE, MANY);
      assertThat(finished.remove(Kind.TASK, tasks)).as("while somebody holds them").isEmpty();
      race.release();
      assertThat(result(retry)).isEqualTo(new RunRetry.NotFound());
    }
    assertThat(finished.remove(Kind.TASK, scan(Kind.TASK))).hasSize(3);
    assertThat(rows.stored()).isEqualTo(rows.count("workflow"));
  }

  @Test
  void a_retry_that_waits_for_the_removal_of_the_run_changes_nothing() {
    UUID run = failedRun();
    try (var race = new Race(rows, "DELETE FROM run")) {
      var retry = race.next(() -> store.steering.retryRun(new RunId(run), "ann"));
      race.release();
      assertThat(result(retry)).isEqualTo(new RunRetry.NotFound());
    }
    assertThat(rows.text("SELECT DISTINCT state FROM task")).isEqualTo("FAILED");
    assertThat(due(Kind.TASK)).hasSize(3);
  }

  @Test
  void who_no_longer_holds_the_lease_removes_nothing() {
    ended(rows.task(TaskState.SUCCEEDED, null), OLD);
    endedRun(OLD);
    LeaseToken past = acquired("a");
    rows.run("UPDATE job_lease SET expires_at = belay_now()");
    LeaseToken holder = acquired("b");
    for (Kind kind : Kind.values()) {
      assertThatThrownBy(() -> finished.remove(past, kind, scan(kind)))
          .isInstanceOf(LeaseLost.class);
    }
    assertThat(rows.count("task")).isEqualTo(1);
    assertThat(finished.remove(holder, Kind.TASK, scan(Kind.TASK))).hasSize(1);
    assertThat(finished.remove(holder, Kind.RUN, scan(Kind.RUN))).hasSize(1);
  }

  private LeaseToken acquired(String replica) {
    var minute = Duration.ofMinutes(1);
    return ((Acquired)
            new PostgresLeases(store.jdbi()).acquire("retention", replica, minute, minute))
        .token();
  }

  @Test
  void an_outcome_of_a_removed_task_is_void() {
    Peer worker = store.newWorker();
    TaskId task = store.submit(LiveStore.RETRIES);
    var dispatch = store.claim(worker, task);
    store.results.write(List.of(store.started(worker, dispatch)));
    store.results.write(List.of(store.exited(worker, dispatch, 0)));
    ended(task.value(), OLD);
    finished.remove(Kind.TASK, scan(Kind.TASK));

    List<Settlement> late =
        store.results.write(List.of(store.exited(worker, dispatch, 1))).settlements();
    assertThat(late).extracting(Settlement::answer).containsExactly(Settlement.Answer.VOID);
    assertThat(rows.stored()).isEqualTo(rows.count("feed"));
  }

  @Test
  void a_task_whose_earlier_attempt_got_a_late_outcome_since_it_was_read_stays() {
    Peer worker = store.newWorker();
    TaskId task = store.submit(LiveStore.RETRIES);
    var first = store.claim(worker, task);
    store.results.write(List.of(store.refused(worker, first)));
    var second = store.claim(worker, task);
    store.results.write(List.of(store.started(worker, second)));
    store.results.write(List.of(store.exited(worker, second, 0)));
    ended(task.value(), OLD);
    var read = scan(Kind.TASK);
    assertThat(read).hasSize(1);

    store.results.write(List.of(LiveStore.exited(worker, first, task, 5)));
    assertThat(store.attempt(first, "late_outcome")).contains("5");
    assertThat(finished.remove(Kind.TASK, read)).isEmpty();
    assertThat(finished.remove(Kind.TASK, scan(Kind.TASK))).hasSize(1);
  }

  private UUID ended(UUID task, String at) {
    rows.run("UPDATE task SET ended_at = '%s' WHERE id = '%s'".formatted(at, task));
    return task;
  }

  private UUID endedRun(String at) {
    UUID run = rows.openRun();
    rows.run("UPDATE run SET state = 'FAILED', ended_at = '%s' WHERE id = '%s'".formatted(at, run));
    return run;
  }

  /** An old run with three failed tasks. */
  private UUID failedRun() {
    UUID run = endedRun(OLD);
    for (int i = 0; i < 3; i++) {
      UUID task = ended(rows.task(TaskState.FAILED, run), OLD);
      rows.run("UPDATE task SET started_at = created_at WHERE id = '" + task + "'");
    }
    return run;
  }

  private List<Row> scan(Kind kind) {
    return finished.scan(kind, BEFORE, FinishedRows.FIRST, MANY).due();
  }

  private List<UUID> due(Kind kind) {
    return scan(kind).stream().map(Row::id).toList();
  }
}
