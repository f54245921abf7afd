package dev.belay.store;

import static java.util.Comparator.comparingInt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.steer.TaskSteering;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.queue.PostgresQueues;
import dev.belay.store.read.Reads;
import dev.belay.store.read.Transition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Migrates a database that version 10 filled, checks its rows and continues to use it. */
class FilledDatabaseTest {

  /** The views attempt and history show what were tables of these names. */
  private static final String TABLES =
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
          + " AND relkind IN ('r', 'p', 'v') AND NOT relispartition AND relname NOT LIKE 'flyway%'"
          + " AND relname NOT IN ('past_attempt', 'step', 'task_queue')";

  private final List<List<String>> before = new ArrayList<>();
  private final LiveStore store =
      new LiveStore(new StoreFixture(1_790_000_000_000L, this::fillByVersion10));
  private final Reads reads = new Reads(store.jdbi());
  private final Planning planning = new Planning(store);

  private void fillByVersion10(DataSource empty) {
    Flyway.configure().dataSource(empty).locations(Migrations.OURS).target("10").load().migrate();
    var jdbi = Jdbi.create(empty);
    jdbi.useHandle(handle -> handle.createScript(fixture()).execute());
    // A migration renames this kind of recovery.
    rows(jdbi)
        .forEach(
            row ->
                before.add(
                    row.stream()
                        .map(value -> value.equals("agent_gone") ? "agent_closed" : value)
                        .toList()));
  }

  private static String fixture() {
    try (var file = FilledDatabaseTest.class.getResourceAsStream("/migration/version10.sql")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<List<String>> rows(Jdbi jdbi) {
    return jdbi.withHandle(
        handle ->
            handle.createQuery(TABLES).mapTo(String.class).list().stream()
                .flatMap(table -> handle.createQuery(values(table)).mapTo(String.class).stream())
                .map(row -> List.of(row.replaceAll("[{}\"]", "").split(",")))
                .toList());
  }

  /**
   * The values of each row, without column names, which migrations change, and without a dropped
   * column and the ids of history.
   */
  private static String values(String table) {
    String left = table.equals("history") ? "'id'" : "'capabilities'";
    return "SELECT array(SELECT value FROM jsonb_each_text(to_jsonb(t) - %s)".formatted(left)
        + " WHERE value IS NOT NULL ORDER BY value)::text FROM %s AS t".formatted(table);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void every_row_is_kept_with_its_values() {
    assertThat(before).hasSizeGreaterThan(80).anyMatch(row -> row.contains("agent_closed"));
    var after = new ArrayList<>(rows(store.jdbi()));
    // The longest first: a short row may also be a part of one that is another row's.
    before.sort(comparingInt(List<String>::size).reversed());
    for (List<String> row : before) {
      var kept = after.stream().filter(now -> contains(now, row)).findFirst();
      assertThat(kept).as("%s among %s", row, after).isPresent();
      after.remove(kept.get());
    }
    assertThat(after)
        .as("the new rows of feed_trim and routing_version")
        .containsExactlyInAnyOrder(List.of("0", "true"), List.of("1", "true"));
  }

  @Test
  void attempts_of_all_generations_keep_their_numbers_and_their_order() {
    assertThat(reads.history(id(35)))
        .extracting(Transition::to)
        .containsExactly(
            "SCHEDULED",
            "DISPATCHED",
            "RUNNING",
            "PENDING",
            "SCHEDULED",
            "DISPATCHED",
            "RUNNING",
            "FAILED",
            "SCHEDULED",
            "DISPATCHED",
            "RUNNING",
            "SUCCEEDED");
    assertThat(reads.attempts(id(35)))
        .extracting(attempt -> attempt.dispatch() + " " + attempt.number())
        .containsExactly(id(81) + " 1", id(82) + " 2", id(55) + " 3");
  }

  private static boolean contains(List<String> now, List<String> row) {
    var rest = new ArrayList<>(now);
    return row.stream().allMatch(rest::remove);
  }

  @Test
  void each_open_task_waits_in_the_task_queue_that_a_new_one_gets() {
    var queues = new PostgresQueues(store.jdbi());
    var alone = QueueOf.alone("default", "default", RunPolicy.DEFAULT);
    var inRun = new TaskQueue("default", "etl", Placement.inPool("default"), null, null);
    var ids = queues.intern(List.of(alone, inRun));
    assertThat(store.rows().count("task_queue")).isEqualTo(2);
    assertThat(store.task(task(24), "queue_id")).isEqualTo(String.valueOf(ids.get(alone)));
    assertThat(store.task(task(21), "queue_id")).isEqualTo(String.valueOf(ids.get(inRun)));
    assertThat(store.rows().count("task WHERE ended_at IS NULL AND queue_id IS NULL"))
        .as("only tasks that are not ready")
        .isEqualTo(store.rows().count("task WHERE state = 'WAITING'"));
    assertThat(queues.readQueues(ids.values())).containsValues(alone, inRun);
  }

  @Test
  void a_task_that_ended_before_there_were_task_queues_can_be_retried() {
    store.taskSteering.retry(new TaskSteering.Request(task(28), "", "me"));
    assertThat(store.due.promote(store.epoch(), 10).count()).isEqualTo(2);
    assertThat(reads.taskState(id(28))).hasValue(TaskState.SCHEDULED);
    assertThat(store.task(task(28), "queue_id")).isEqualTo(store.task(task(24), "queue_id"));
  }

  @Test
  void constraints_hold_for_the_old_rows() {
    assertThatThrownBy(
            () -> store.rows().run("UPDATE task SET ended_at = NULL WHERE state = 'SUCCEEDED'"))
        .hasStackTraceContaining("violates check constraint");
    assertThat(store.rows().count("pg_constraint WHERE NOT convalidated")).isZero();
  }

  @Test
  void everything_open_goes_on_to_its_end() {
    var peer = new Peer(new WorkerId(id(61)), new SessionId(id(71)), 2);
    assertThat(store.register(peer, 1_000)).isInstanceOf(Registration.Accepted.class);
    assertThat(store.workers.readMailbox(peer, List.of()).orElseThrow())
        .extracting(MailboxEntry::task)
        .containsExactlyInAnyOrder(task(21), task(25), task(26));
    store.results.write(
        List.of(
            new WorkerEvent.Started(peer.worker(), peer.session(), dispatch(45), task(25), 1_000),
            exited(peer, 25, 0),
            exited(peer, 21, 0),
            exited(peer, 26, 3)));
    assertThat(reads.taskState(id(21))).hasValue(TaskState.SUCCEEDED);
    assertThat(reads.taskState(id(25))).hasValue(TaskState.SUCCEEDED);
    assertThat(reads.taskState(id(26))).as("its one retry is left").hasValue(TaskState.PENDING);

    assertThat(store.due.promote(store.epoch(), 10).count()).isEqualTo(1);
    for (int number : List.of(23, 24)) {
      store.results.write(List.of(store.exited(peer, store.claim(peer, task(number)), 0)));
      assertThat(reads.taskState(id(number))).hasValue(TaskState.SUCCEEDED);
    }
    assertThat(reads.history(id(23)))
        .extracting(Transition::to)
        .containsExactly(
            "SCHEDULED",
            "DISPATCHED",
            "RUNNING",
            "PENDING",
            "SCHEDULED",
            "DISPATCHED",
            "RUNNING",
            "SUCCEEDED");
    assertThat(reads.attempts(id(23))).hasSize(2);

    planning.plan();
    planning.finish(new RunId(id(12)), "b", 0);
    planning.plan();
    assertThat(reads.runState(id(12))).hasValue(RunState.SUCCEEDED);
    assertThat(reads.runState(id(11))).as("its turn has come").hasValue(RunState.RUNNING);
    planning.finish(new RunId(id(11)), "a", 0);
    planning.plan();
    planning.finish(new RunId(id(11)), "b", 0);
    planning.plan();
    assertThat(reads.runState(id(11))).hasValue(RunState.SUCCEEDED);
  }

  private static WorkerEvent exited(Peer peer, int number, int code) {
    return LiveStore.exited(peer, dispatch(number + 20), task(number), code);
  }

  private static TaskId task(int number) {
    return new TaskId(id(number));
  }

  private static DispatchId dispatch(int number) {
    return new DispatchId(id(number));
  }

  private static UUID id(int number) {
    return UUID.fromString("01990000-0000-7000-8000-0000000000" + number);
  }
}
