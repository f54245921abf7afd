package dev.belay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.engine.port.Meters;
import dev.belay.engine.statement.UnservedStatements.Noted;
import dev.belay.engine.steer.TaskSteering;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.NewTask;
import dev.belay.store.intake.Submission;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.queue.UnusedQueues;
import dev.belay.store.read.Bulk;
import dev.belay.store.read.DeadLetter;
import dev.belay.store.read.Page.Window;
import dev.belay.store.read.Reads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Migrates a database that version 27 filled, before there were task queues, declared pools and
 * dead letters, and version 36, which has rows of all of those. Then it continues to use them.
 */
class FilledLaterDatabaseTest {

  private static final DeadLetter.Filter ANY =
      new DeadLetter.Filter("default", null, null, null, null, null, null);

  private final LiveStore store =
      new LiveStore(new StoreFixture(1_790_000_000_000L, FilledLaterDatabaseTest::fill));
  private final Reads reads = new Reads(store.jdbi());

  private static void fill(DataSource empty) {
    fill(empty, 27);
    fill(empty, 36);
  }

  private static void fill(DataSource database, int version) {
    Flyway.configure()
        .dataSource(database)
        .locations(Migrations.OURS)
        .target(String.valueOf(version))
        .load()
        .migrate();
    Jdbi.create(database)
        .useHandle(
            handle -> handle.createScript(script("version%d.sql".formatted(version))).execute());
  }

  private static String script(String name) {
    try (var file = FilledLaterDatabaseTest.class.getResourceAsStream("/migration/" + name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void pools_of_the_system_file_stay_declared_by_it() {
    assertThat(
            store
                .rows()
                .text(
                    "SELECT concat_ws(' ', name, description, state, strategy, declared_in,"
                        + " changed_by) FROM pool"))
        .isEqualTo("gpu with a GPU ACTIVE SPREAD SYSTEM_FILE ann");
    assertThat(store.task(task(24), "queue_id = (SELECT queue_of_pool('default', NULL, 'gpu'))"))
        .isEqualTo("true");
    assertThat(store.rows().count("worker WHERE capabilities = '{}' AND set_aside_at IS NULL"))
        .isEqualTo(1);
    assertThat(store.rows().count("pg_constraint WHERE NOT convalidated")).isZero();
  }

  @Test
  void tasks_with_a_key_can_be_retried_after_it_was_forgotten_and_open_ones_keep_theirs() {
    assertThat(
            (int)
                store
                    .jdbi()
                    .inTransaction(
                        handle -> UnusedQueues.forget(handle, Duration.ofDays(90), 1_000)))
        .as("one deleted, one in use")
        .isEqualTo(2);
    assertThat(store.rows().count("task_queue WHERE spec ->> 'concurrency' IS NOT NULL"))
        .isEqualTo(1);
    store.taskSteering.retry(new TaskSteering.Request(task(31), "", "me"));
    store.rows().run("UPDATE task SET not_before = belay_now() WHERE not_before IS NOT NULL");
    assertThat(store.due.promote(store.epoch(), 10).count()).isEqualTo(2);
    assertThat(
            store
                .rows()
                .text(
                    "SELECT string_agg(q.spec #>> '{concurrency,key}', ' ' ORDER BY t.id) FROM task"
                        + " t JOIN task_queue q ON q.id = t.queue_id WHERE t.state = 'SCHEDULED'"
                        + " AND t.id > '"
                        + task(30)
                        + "'"))
        .isEqualTo("order-1 order-2");
  }

  @Test
  void dead_letters_bulk_operations_and_limits_go_on() {
    assertThat(reads.deadLetters(ANY, new Window(null, 10)).items())
        .extracting(DeadLetter::id)
        .containsExactly(id(52), id(51));
    assertThat(reads.openDeadLetters(10)).isEqualTo(Map.of("no_workers", 1L));
    assertThat(reads.deadLetterGroups(ANY, 10))
        .singleElement()
        .extracting(DeadLetter.Group::count, DeadLetter.Group::open)
        .containsExactly(2L, 1L);
    assertThat(reads.bulks("default", new Window(null, 10)).items())
        .extracting(Bulk::id)
        .containsExactly(id(61));
    List<Noted> unserved =
        store.transactions.asLeader(store.epoch(), all -> all.unserved().read(10));
    assertThat(unserved)
        .singleElement()
        .matches(noted -> noted.why().detail().equals("no worker of pool far ever came"));

    var intake =
        new TaskIntake(store.jdbi(), store.ids(), store.rows().hints(), store.queues, Meters.NONE);
    var next = new NewTask("data", "t", 50, "default", "{\"argv\": [\"true\"]}", "{}", false, null);
    assertThat(intake.submit(List.of(new Batch(null, List.of(next))), "me"))
        .as("max_waiting is 1, and none waits")
        .isInstanceOf(Submission.Accepted.class);
    assertThat(intake.submit(List.of(new Batch(null, List.of(next))), "me"))
        .isInstanceOf(Submission.Limited.class);
  }

  private static TaskId task(int number) {
    return new TaskId(id(number));
  }

  private static UUID id(int number) {
    return UUID.fromString("01990000-0000-7000-8000-0000000000" + number);
  }
}
