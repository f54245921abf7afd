package dev.belay.store.promise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.spec.RunLimits.ExpectBy;
import dev.belay.engine.port.Meters;
import dev.belay.engine.schedule.PromiseSettings;
import dev.belay.engine.schedule.RunPromises;
import dev.belay.engine.statement.PromiseStatements.Check;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.read.WaitReads;
import dev.belay.store.transaction.PostgresTransactions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The step of the leader that keeps promises, on PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunPromisesTest {

  private static final ExpectBy EXPECTED =
      new ExpectBy(LocalTime.of(6, 0), ZoneId.of("Europe/Berlin"));

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);
  private final PostgresTransactions transactions = new PostgresTransactions(store.jdbi());
  private final AtomicLong ticker = new AtomicLong();

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  /** A new leader, which knows only the database. */
  private RunPromises leader() {
    var waits =
        new WaitReads(
            store.waitSources(),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            WaitReads.Placing.DEFAULT,
            () -> ticker.addAndGet(1_000_000_000L));
    return new RunPromises(
        new PostgresPromises(store.jdbi(), waits),
        transactions,
        PromiseSettings.DEFAULT,
        () -> Optional.of(store.epoch()),
        store.rows().hints(),
        Meters.NONE,
        ticker::get);
  }

  private String alerts() {
    return store.rows().text("SELECT kind || ': ' || detail FROM alert ORDER BY id");
  }

  private void set(RunId run, String columns) {
    store.rows().run("UPDATE run SET " + columns + " WHERE id = '" + run + "'");
  }

  @Test
  void nothing_to_keep_sleeps_for_a_poll() {
    assertThat(leader().runOnce()).isEqualTo(PromiseSettings.DEFAULT.poll());
  }

  @Test
  void step_sleeps_until_the_next_timeout() {
    planning.registerOne("w", "{timeout: 400ms}");
    planning.trigger("w", 1);
    planning.plan();
    assertThat(leader().runOnce()).isLessThanOrEqualTo(Duration.ofMillis(400));
  }

  @Test
  void run_that_takes_too_long_ends() {
    planning.registerOne("w", "{timeout: 1h}");
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    leader().runOnce();
    assertThat(planning.state(run)).isEqualTo("RUNNING");
    set(run, "timeout_at = belay_now() - interval '1 s'");
    store.rows().hinted().clear();
    leader().runOnce();
    assertThat(store.rows().hinted()).containsExactly("runChanged");
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("FAILED run_timeout");
    assertThat(store.task(planning.task(run, "a"))).isEqualTo("TIMEOUT run_timeout");
    assertThat(alerts()).isEmpty();
  }

  @Test
  void deadline_tells_what_the_run_waits_for_once() {
    planning.registerOne("w", "{deadline: 6h}");
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    var worker = store.newWorker();
    store.claim(worker, planning.task(run, "a"));
    leader().runOnce();
    assertThat(alerts()).isEmpty();
    set(run, "deadline_at = belay_now()");
    leader().runOnce();
    leader().runOnce();
    assertThat(alerts())
        .startsWith(
            "run_deadline: run %s of workflow w has not ended within its deadline of 6h. It is RUNNING. task a (DISPATCHED): on worker"
                .formatted(run))
        .doesNotContain("\n");
    assertThat(planning.state(run)).isEqualTo("RUNNING");
  }

  @Test
  void deadline_of_a_run_that_cannot_start_tells_why() {
    planning.registerOne("w", "{deadline: 90s}");
    store.steering.pause("default", "w", "me");
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    set(run, "deadline_at = belay_now()");
    leader().runOnce();
    assertThat(alerts())
        .isEqualTo(
            "run_deadline: run %s of workflow w has not ended within its deadline of 1m30s. It is QUEUED. workflow w is paused (belay resume w)."
                .formatted(run));
  }

  @Test
  void deadline_of_a_run_that_ended_in_time_says_nothing() {
    planning.registerOne("w", "{deadline: 6h}");
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    planning.finish(run, "a", 0);
    planning.plan();
    set(run, "deadline_at = belay_now()");
    leader().runOnce();
    assertThat(alerts()).isEmpty();
  }

  private Instant now() {
    return store
        .jdbi()
        .withHandle(
            handle -> handle.createQuery("SELECT belay_now()").mapTo(OffsetDateTime.class).one())
        .toInstant();
  }

  /** A workflow that expects a run each day, and whose last check is due now. */
  private Instant due() {
    planning.registerOne("w", "{expect_by: \"06:00 Europe/Berlin\"}");
    Instant at = EXPECTED.previous(now().minusSeconds(10));
    store
        .rows()
        .run(
            "UPDATE trigger_version SET next_at = '%s', due_at = '%s' WHERE kind = 'expect_by'"
                .formatted(at, at));
    return at;
  }

  private RunId succeeded(Instant endedAt) {
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    planning.finish(run, "a", 0);
    planning.plan();
    assertThat(planning.state(run)).isEqualTo("SUCCEEDED completed");
    set(run, "ended_at = '" + endedAt + "'");
    return run;
  }

  private String ledger() {
    return store.rows().text("SELECT outcome || ' ' || reason FROM fire ORDER BY at");
  }

  private Instant cursor() {
    return Instant.parse(
        store
            .rows()
            .text(
                "SELECT to_char(next_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
                    + " FROM trigger_version WHERE due_at = next_at"));
  }

  @Test
  void missing_run_is_told_once_with_the_newest_run() {
    Instant at = due();
    var early = succeeded(EXPECTED.previous(at));
    var late = succeeded(at.plusMillis(1));
    leader().runOnce();
    leader().runOnce();
    assertThat(ledger()).isEqualTo("checked missing");
    assertThat(alerts())
        .isEqualTo(
            "run_missing: no run of workflow w succeeded by 06:00 Europe/Berlin (%s), nor in the day before it. Its newest run %s is SUCCEEDED (completed)."
                .formatted(at, late));
    assertThat(cursor()).isEqualTo(EXPECTED.next(at));
    assertThat(early).isNotEqualTo(late);
  }

  @Test
  void run_that_succeeded_in_time_meets_the_promise() {
    Instant at = due();
    var run = succeeded(at);
    leader().runOnce();
    assertThat(ledger()).isEqualTo("checked met: " + run);
    assertThat(alerts()).isEmpty();
  }

  @Test
  void run_of_a_backfill_does_not_stand_for_today() {
    Instant at = due();
    var run = succeeded(at);
    set(run, "backfill_id = '" + store.ids().next() + "'");
    leader().runOnce();
    assertThat(ledger()).isEqualTo("checked missing");
  }

  @Test
  void paused_workflow_is_not_missed() {
    due();
    store.steering.pause("default", "w", "me");
    leader().runOnce();
    assertThat(ledger()).isEqualTo("checked paused");
    assertThat(alerts()).isEmpty();
  }

  @Test
  void days_without_a_leader_are_checked_one_by_one() {
    Instant at = due();
    Instant before = EXPECTED.previous(at);
    store
        .rows()
        .run("UPDATE trigger_version SET next_at = '%s', due_at = '%s'".formatted(before, before));
    succeeded(before);
    var leader = leader();
    leader.runOnce();
    leader.runOnce();
    assertThat(ledger()).startsWith("checked met: ").endsWith("\nchecked missing");
    assertThat(cursor()).isEqualTo(EXPECTED.next(at));
  }

  @Test
  void promise_that_was_taken_back_is_checked_up_to_then() {
    Instant at = due();
    planning.registerOne("w", "{}");
    leader().runOnce();
    assertThat(ledger()).isEqualTo("checked missing");
    assertThat(
            store.rows().count("trigger_version WHERE next_at IS NOT NULL OR due_at IS NOT NULL"))
        .isZero();
    assertThat(at).isNotNull();
  }

  @Test
  void check_from_an_outdated_read_writes_nothing() {
    Instant at = due();
    var version = UUID.fromString(store.rows().text("SELECT id FROM trigger_version"));
    Instant next = EXPECTED.next(at);
    var stale = new Check(version, at.minusSeconds(1), null, next, "missing", "late");
    var retired = new Check(version, at, at, next, "missing", "late");
    for (Check check : List.of(stale, retired)) {
      assertThat(
              transactions.<java.util.Set<UUID>>asLeader(
                  store.epoch(), statements -> statements.promises().check(List.of(check))))
          .isEmpty();
    }
    assertThat(ledger()).isEmpty();
    assertThat(alerts()).isEmpty();
  }

  @Test
  void late_triggers_share_an_alert() {
    store
        .rows()
        .run(
            "INSERT INTO trigger VALUES ('%s', 'default', 'w', 'nightly', belay_now())"
                .formatted(new UUID(0, 1)),
            """
            INSERT INTO fire (trigger_id, at, due_at, outcome, reason, run_id, decided_at)
            SELECT '%s', now - n * interval '1 minute', now - n * interval '2 s', 'fired',
                   CASE WHEN n = 9 THEN 'resumed' END, '%s', now
            FROM generate_series(0, 9) AS n, (SELECT belay_now() AS now) AS clock\
            """
                .formatted(new UUID(0, 1), new UUID(0, 2)));
    leader().runOnce();
    leader().runOnce();
    assertThat(alerts())
        .startsWith(
            "schedule_late: 8 instants fired later than promised (1s). The worst: trigger nightly"
                + " of workflow w, due ")
        .endsWith("was 16s late. `belay lateness` shows more.")
        .doesNotContain("\n");
  }
}
