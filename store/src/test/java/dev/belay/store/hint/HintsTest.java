package dev.belay.store.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.engine.loop.Loops;
import dev.belay.store.fixture.StoreFixture;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HintsTest {

  private static final WorkerId WORKER = new WorkerId(StoreFixture.WORKER);

  private final StoreFixture here = new StoreFixture();
  private final StoreFixture there = new StoreFixture();
  private final Loops loops =
      new Loops(Thread.ofVirtual().factory(), System::nanoTime, Duration.ofSeconds(30));
  private final AtomicBoolean leads = new AtomicBoolean();
  private final PostgresHints speaker = hints(here);
  private final PostgresHints listener = hints(there);

  @BeforeAll
  void start() {
    speaker.start();
    listener.start();
    awaitListening();
  }

  @AfterAll
  void close() {
    speaker.close();
    listener.close();
    here.close();
    there.close();
  }

  @Test
  void hint_is_here_at_once_and_soon_at_the_other_replica() {
    here.hinted().clear();
    speaker.workReady();
    speaker.workReady(List.of(new QueueId(7)));
    speaker.workReady(IntStream.range(0, 51).mapToObj(QueueId::new).toList());
    speaker.runChanged();
    speaker.triggersChanged();
    speaker.mailbox(WORKER);
    speaker.leaderLeft();
    assertThat(here.hinted())
        .contains(
            "workReady",
            "workReady [7]",
            "runChanged",
            "triggersChanged",
            "mailbox " + WORKER,
            "leaderLeft");
    await()
        .untilAsserted(
            () ->
                assertThat(there.hinted())
                    .contains(
                        "workReady",
                        "workReady [7]",
                        "workReady []",
                        "runChanged",
                        "triggersChanged",
                        "mailbox " + WORKER,
                        "leaderLeft"));
  }

  @Test
  void leader_names_no_task_queues_to_the_others() {
    there.hinted().clear();
    leads.set(true);
    speaker.workReady(List.of(new QueueId(8)));
    speaker.workReady(List.of(new QueueId(9)));
    leads.set(false);
    speaker.leaderLeft();
    assertThat(here.hinted()).contains("workReady [8]", "workReady [9]");
    await().untilAsserted(() -> assertThat(there.hinted()).contains("workReady", "leaderLeft"));
    assertThat(there.hinted()).noneMatch(hint -> hint.startsWith("workReady ["));
  }

  @Test
  void garbage_and_a_cut_connection_silence_nobody() {
    there.hinted().clear();
    here.run("SELECT pg_notify('belay', 'mailbox nobody'), pg_notify('belay', 'what')");
    here.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND application_name = 'hints'");
    awaitListening();
    await()
        .untilAsserted(
            () -> {
              speaker.workReady();
              assertThat(there.hinted()).contains("workReady");
            });
  }

  /** Waits for both replicas. */
  private void awaitListening() {
    await()
        .until(
            () ->
                here.count(
                        "pg_stat_activity WHERE datname = current_database()"
                            + " AND application_name = 'hints' AND query LIKE 'LISTEN%'")
                    == 2);
  }

  /** Both use one database, as replicas do. */
  private PostgresHints hints(StoreFixture receiver) {
    return new PostgresHints(receiver.hints(), this::open, loops, leads::get);
  }

  private Connection open() throws SQLException {
    var pool = here.pool();
    var properties = new Properties();
    properties.setProperty("user", pool.getUsername());
    properties.setProperty("password", pool.getPassword());
    properties.setProperty("ApplicationName", "hints");
    return DriverManager.getConnection(pool.getJdbcUrl(), properties);
  }
}
