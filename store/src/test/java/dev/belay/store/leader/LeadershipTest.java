package dev.belay.store.leader;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanReads.Mark;
import dev.belay.session.gateway.Peer;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import dev.belay.store.read.Reads;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeadershipTest {

  private static final String NO_LOCK = "SELECT 1";

  private final LiveStore store = new LiveStore();
  private final List<PostgresElection> candidates = new ArrayList<>();

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterEach
  void resignAll() {
    candidates.forEach(PostgresElection::resign);
    candidates.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void one_leads_until_it_resigns_and_the_next_has_a_higher_epoch() {
    var first = candidate("a");
    var second = candidate("b");
    var epoch = first.campaign().orElseThrow();
    assertThat(second.campaign()).isEmpty();
    assertThat(first.renew()).isTrue();
    assertThat(second.renew()).as("a follower holds nothing to renew").isFalse();
    assertThat(store.rows().text("SELECT leader FROM leadership")).isEqualTo("a");
    first.resign();
    first.resign();
    assertThat(first.renew()).isFalse();
    var next = campaignUntilWon(second);
    assertThat(next.value()).isEqualTo(epoch.value() + 1);
    assertThat(store.epoch()).isEqualTo(next);
    assertThat(store.rows().text("SELECT leader FROM leadership")).isEqualTo("b");
    assertThat(first.campaign()).isEmpty();
  }

  @Test
  void who_leads_is_told_only_while_somebody_does() {
    var reads = new Reads(store.jdbi());
    assertThat(reads.leadership().leader()).isNull();
    var first = candidate("a");
    assertThat(first.campaign()).isPresent();
    assertThat(reads.leadership().leader()).isEqualTo("a");
    first.resign();
    await().untilAsserted(() -> assertThat(reads.leadership().leader()).isNull());
    assertThat(store.rows().text("SELECT leader FROM leadership")).as("the last").isEqualTo("a");
  }

  @Test
  void leader_whose_session_is_cut_notices_and_can_win_again() {
    var first = candidate("a");
    var epoch = first.campaign().orElseThrow();
    store
        .rows()
        .run(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <>"
                + " pg_backend_pid() AND database = (SELECT oid FROM pg_database WHERE datname ="
                + " current_database())");
    assertThat(first.renew()).isFalse();
    var second = candidate("b");
    assertThat(campaignUntilWon(second).value()).isGreaterThan(epoch.value());
    second.resign();
    first.resign();
    assertThat(campaignUntilWon(first).value()).isGreaterThan(epoch.value() + 1);
  }

  /** The first to enter leaves first; then its epoch is over. */
  @Test
  void successor_waits_for_the_write_that_is_under_way_and_then_no_other_follows() {
    var epoch = store.epoch();
    var worker = store.newWorker();
    var task = store.submit(RETRIES);
    var later = store.submit(RETRIES);
    try (var race = holding(task)) {
      var write = race.next(() -> claim(epoch, worker, task));
      var successor = race.next(() -> candidate("b").campaign());
      assertThat(store.epoch()).as("not raised while the claim is under way").isEqualTo(epoch);
      race.release();
      assertThat(result(write)).containsExactly(task);
      assertThat(result(successor)).contains(new Epoch(epoch.value() + 1));
    }
    assertThatThrownBy(() -> claim(epoch, worker, later)).isInstanceOf(Deposed.class);
    assertThat(store.task(later)).isEqualTo("SCHEDULED submitted");
    assertThat(store.rows().count("attempt")).isEqualTo(1);
  }

  /**
   * The old leader began its transaction before the epoch rose, but reaches the epoch lock after.
   */
  @Test
  void write_behind_the_successor_is_deposed_whatever_it_saw_before() {
    var epoch = store.epoch();
    var worker = store.newWorker();
    var task = store.submit(RETRIES);
    var due = store.submit(RETRIES);
    store
        .rows()
        .run(
            "UPDATE task SET state = 'PENDING', not_before = belay_now() WHERE id = '" + due + "'");
    store.rows().run("INSERT INTO mark (run_id) VALUES ('" + store.ids().next() + "')");
    var marks = store.plans.readMarks(1).stream().map(Mark::id).toList();
    try (var race =
        new Race(
            store.rows(), "SELECT pg_advisory_xact_lock_shared(" + EpochLock.EPOCH_LOCK + ")")) {
      var successor = race.next(() -> candidate("b").campaign());
      var claim = race.next(() -> claim(epoch, worker, task));
      var promote = race.next(() -> store.due.promote(epoch, 10));
      var postpone =
          race.next(
              () -> {
                store.planWriter.postpone(epoch, marks);
                return Optional.empty();
              });
      var plan = race.next(() -> store.planWriter.apply(epoch, List.of(), marks));
      race.release();
      assertThat(result(successor)).contains(new Epoch(epoch.value() + 1));
      assertThatThrownBy(() -> result(claim)).isInstanceOf(Deposed.class);
      assertThatThrownBy(() -> result(promote)).isInstanceOf(Deposed.class);
      assertThatThrownBy(() -> result(postpone)).isInstanceOf(Deposed.class);
      assertThatThrownBy(() -> result(plan)).isInstanceOf(Deposed.class);
    }
    assertThat(store.task(task)).isEqualTo("SCHEDULED submitted");
    assertThat(store.rows().count("attempt")).isZero();
    assertThat(store.task(due)).startsWith("PENDING");
    assertThat(store.plans.readMarks(2)).extracting(Mark::id).isEqualTo(marks);
  }

  @Test
  void leader_that_sees_its_own_epoch_may_write_many_times_at_once() {
    var epoch = candidate("a").campaign().orElseThrow();
    var worker = store.newWorker();
    var first = store.submit(RETRIES);
    var second = store.submit(RETRIES);
    try (var race = holding(first)) {
      var blocked = race.next(() -> claim(epoch, worker, first));
      assertThat(claim(epoch, worker, second)).containsExactly(second);
      race.release();
      assertThat(result(blocked)).containsExactly(first);
    }
  }

  /** Otherwise a leader that froze inside a transaction would block every successor. */
  @Test
  void frozen_transaction_loses_the_fence() {
    var epoch = store.epoch();
    try (var race = new Race(store.rows(), NO_LOCK);
        var handle = store.jdbi().open()) {
      handle.begin();
      EpochLock.enter(handle, epoch);
      handle.execute("SET LOCAL idle_in_transaction_session_timeout = '100ms'");
      var successor = race.start(() -> candidate("b").campaign());
      assertThat(result(successor)).contains(new Epoch(epoch.value() + 1));
      assertThatThrownBy(() -> handle.execute("SELECT 1")).isInstanceOf(RuntimeException.class);
    }
  }

  /** A new leader waits a limited time, then ends the session of a write that still runs. */
  @Test
  void successor_cuts_off_a_write_that_does_not_end() {
    var epoch = store.epoch();
    try (var race = new Race(store.rows(), NO_LOCK)) {
      var endless =
          race.start(
              () ->
                  store
                      .jdbi()
                      .inTransaction(
                          handle -> {
                            EpochLock.enter(handle, epoch);
                            handle.execute("SELECT pg_sleep(25)");
                            return "wrote";
                          }));
      await().until(() -> lockHolders() == 1);
      var hasty = candidate("b", Duration.ofMillis(200));
      assertThat(hasty.campaign()).contains(new Epoch(epoch.value() + 1));
      assertThatThrownBy(() -> result(endless)).isInstanceOf(RuntimeException.class);
      assertThat(hasty.renew()).isTrue();
      assertThat(
              store
                  .rows()
                  .count(
                      "pg_stat_activity WHERE application_name = 'belay b leader "
                          + (epoch.value() + 1)
                          + "'"))
          .as("people see who leads")
          .isEqualTo(1);
    }
  }

  /** The server stops answering in the middle: no FIN, no RST, nothing. */
  @Test
  void renewal_ends_by_itself_when_nobody_answers() throws Exception {
    var config = store.rows().pool();
    var real = URI.create(config.getJdbcUrl().substring("jdbc:".length()));
    try (var wall = new Wall(real.getHost(), real.getPort())) {
      String url = config.getJdbcUrl().replace(":" + real.getPort() + "/", ":" + wall.port() + "/");
      var leader =
          new PostgresElection(
              () -> DriverManager.getConnection(url, config.getUsername(), config.getPassword()),
              "a",
              new ElectionSettings(
                  Duration.ofMillis(500), Duration.ofMillis(300), Duration.ofSeconds(1)));
      assertThat(leader.campaign()).isPresent();
      assertThat(leader.renew()).isTrue();
      wall.swallow();
      assertTimeoutPreemptively(Duration.ofSeconds(10), () -> assertThat(leader.renew()).isFalse());
      // For the server, the session lives until its idle timeout.
      var next = campaignUntilWon(candidate("b"));
      assertThat(next).isEqualTo(store.epoch());
      assertTimeoutPreemptively(Duration.ofSeconds(10), leader::resign);
    }
  }

  private long lockHolders() {
    return store
        .rows()
        .count(
            "pg_locks WHERE locktype = 'advisory' AND objid = 2 AND granted AND database ="
                + " (SELECT oid FROM pg_database WHERE datname = current_database())");
  }

  @Test
  void fence_bounds_how_long_its_transaction_may_idle_run_and_wait() {
    store
        .jdbi()
        .useTransaction(
            handle -> {
              EpochLock.enter(handle, store.epoch());
              for (var setting :
                  List.of(
                      "idle_in_transaction_session_timeout", "statement_timeout", "lock_timeout")) {
                assertThat(handle.createQuery("SHOW " + setting).mapTo(String.class).one())
                    .as(setting)
                    .matches("[1-9][0-9]*s");
              }
            });
  }

  /** Waits long: tests hold the epoch lock to queue others. */
  private PostgresElection candidate(String replica) {
    return candidate(replica, Duration.ofSeconds(20));
  }

  private PostgresElection candidate(String replica, Duration epochLockWait) {
    var settings =
        new ElectionSettings(Duration.ofSeconds(30), epochLockWait, Duration.ofSeconds(60));
    var election = new PostgresElection(this::open, replica, settings);
    candidates.add(election);
    return election;
  }

  private Connection open() throws SQLException {
    var config = store.rows().pool();
    return DriverManager.getConnection(
        config.getJdbcUrl(), config.getUsername(), config.getPassword());
  }

  /** A closed session frees its lock a moment later. */
  private static Epoch campaignUntilWon(PostgresElection election) {
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .until(election::campaign, Optional::isPresent)
        .orElseThrow();
  }

  private List<TaskId> claim(Epoch epoch, Peer worker, TaskId task) {
    return store.claim(
        epoch, worker, List.of(new Claim(task, new DispatchId(store.ids().next()), 0)));
  }

  private Race holding(TaskId task) {
    return new Race(store.rows(), "SELECT 1 FROM task WHERE id = '" + task + "' FOR UPDATE");
  }
}
