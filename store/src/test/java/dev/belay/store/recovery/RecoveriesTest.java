package dev.belay.store.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.Recovered;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.task.TaskState;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.recovery.KindSummary.Measured;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecoveriesTest {

  private static final Duration WEEK = Duration.ofDays(7);

  private final StoreFixture store = new StoreFixture();
  private Recoveries recoveries = new Recoveries(store.jdbi(), Promises.DEFAULT);

  @BeforeEach
  void clear() {
    store.clear();
    recoveries = new Recoveries(store.jdbi(), Promises.DEFAULT);
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void recovery_is_written_with_its_last_sign_and_promise() {
    var task = new TaskId(store.ids().next());
    var dispatch = new DispatchId(store.ids().next());
    record(found(RecoveryKind.AGENT_CLOSED, task, dispatch, Duration.ofMillis(15_250)));
    assertThat(
            store.text(
                """
                SELECT concat_ws(' ', kind, task_id, dispatch_id, detected_at - last_sign_at, promised_ms, closed,
                  running_again_at, belay_now() - detected_at < interval '1 min')
                FROM recovery\
                """))
        .isEqualTo("agent_closed " + task + " " + dispatch + " 00:00:15.25 20000 f t");
    assertThat(store.count("alert")).isZero();
  }

  @Test
  void ending_that_is_rolled_back_leaves_no_recovery_and_no_alert() {
    var late = found(RecoveryKind.AGENT_CLOSED, Duration.ofMinutes(1));
    assertThatThrownBy(
            () ->
                store
                    .jdbi()
                    .useTransaction(
                        handle -> {
                          new RecoverySql(handle).record(List.of(late));
                          throw new IllegalStateException("the ending failed");
                        }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(store.count("recovery") + store.count("alert")).isZero();
  }

  @Test
  void promise_that_is_just_kept_is_no_alert() {
    record(found(RecoveryKind.AGENT_CLOSED, Duration.ofSeconds(20)));
    assertThat(store.count("alert")).isZero();
    record(found(RecoveryKind.AGENT_CLOSED, Duration.ofMillis(20_001)));
    assertThat(store.count("alert")).isEqualTo(1);
  }

  @Test
  void late_ones_of_a_kind_are_one_alert_that_names_the_worst() {
    var worst = new TaskId(store.ids().next());
    var dispatch = new DispatchId(store.ids().next());
    var run = new RunId(store.ids().next());
    record(
        found(RecoveryKind.AGENT_CLOSED, Duration.ofSeconds(21)),
        found(RecoveryKind.AGENT_CLOSED, worst, dispatch, Duration.ofMillis(31_200)),
        found(RecoveryKind.AGENT_CLOSED, Duration.ofSeconds(19)),
        new Recovered(
            RecoveryKind.ORPHAN_RUN,
            null,
            run,
            null,
            null,
            Duration.ofMinutes(8),
            Duration.ofMinutes(7)));
    assertThat(store.text("SELECT kind || ': ' || detail FROM alert ORDER BY detail"))
        .isEqualTo(
            "recovery_late: agent_closed was found after 31.200 s, promised within 20.000 s: task "
                + worst
                + " and 1 more\n"
                + "recovery_late: orphan_run was found after 480.000 s, promised within 420.000 s:"
                + " run "
                + run);
  }

  @Test
  void recovery_of_a_run_is_closed_at_once() {
    record(
        new Recovered(
            RecoveryKind.ORPHAN_RUN,
            null,
            new RunId(store.ids().next()),
            null,
            null,
            Duration.ofMinutes(5),
            Duration.ofMinutes(7)));
    assertThat(store.text("SELECT closed FROM recovery")).isEqualTo("t");
    assertThat(recoveries.complete(10)).isZero();
  }

  @Test
  void task_that_waits_still_keeps_its_recovery_open() {
    recoveryOf(store.task(TaskState.SCHEDULED, null), null);
    recoveryOf(store.task(TaskState.PENDING, null), null);
    assertThat(recoveries.complete(10)).isEqualTo(2);
    assertThat(recoveries.complete(10)).isEqualTo(2);
    assertThat(openOnes()).isEqualTo(2);
  }

  @Test
  void task_that_runs_again_closes_its_recovery_with_the_first_time_it_did() {
    var task = store.task(TaskState.RUNNING, null);
    recoveryOf(task, null);
    ran(task, "-1 min");
    ran(task, "2 s");
    ran(task, "5 s");
    recoveries.complete(10);
    assertThat(store.text("SELECT closed || ' ' || (running_again_at - detected_at) FROM recovery"))
        .isEqualTo("true 00:00:02");
    assertThat(recoveries.complete(10)).isZero();
  }

  @Test
  void task_that_ran_again_and_waits_once_more_counts_as_running_again() {
    var task = store.task(TaskState.PENDING, null);
    store.run(
        """
        UPDATE task
        SET fencing_token = 2, epoch = 1, dispatch_id = '%s', worker_id = '%s', session_id = '%s',
            dispatched_at = belay_now()
        WHERE state = 'PENDING'\
        """
            .formatted(store.ids().next(), StoreFixture.WORKER, StoreFixture.SESSION));
    recoveryOf(task, store.ids().next());
    ran(task, "1 s");
    recoveries.complete(10);
    assertThat(store.text("SELECT running_again_at IS NOT NULL FROM recovery")).isEqualTo("t");
  }

  @Test
  void task_that_was_dispatched_again_but_has_not_started_is_not_running() {
    var task = store.task(TaskState.DISPATCHED, null);
    recoveryOf(task, store.ids().next());
    recoveries.complete(10);
    assertThat(openOnes()).isEqualTo(1);
  }

  @Test
  void task_that_ended_instead_closes_its_recovery_without_a_time() {
    recoveryOf(store.task(TaskState.FAILED, null), null);
    recoveryOf(store.ids().next(), null);
    recoveries.complete(10);
    assertThat(store.text("SELECT DISTINCT closed AND running_again_at IS NULL FROM recovery"))
        .isEqualTo("t");
  }

  @Test
  void one_that_stays_open_holds_up_no_other() {
    for (int i = 0; i < 3; i++) {
      recoveryOf(store.task(TaskState.SCHEDULED, null), null);
    }
    recoveryOf(store.task(TaskState.FAILED, null), null);
    assertThat(recoveries.complete(2)).isEqualTo(2);
    assertThat(openOnes()).isEqualTo(4);
    recoveries.complete(2);
    assertThat(openOnes()).isEqualTo(3);
    recoveryOf(new UUID(0, 1), null);
    Stream.of(1, 2, 3).forEach(turn -> recoveries.complete(2));
    assertThat(openOnes()).isEqualTo(3);
  }

  @Test
  void row_that_somebody_holds_is_left_for_later() throws SQLException {
    recoveryOf(store.task(TaskState.FAILED, null), null);
    try (var other = store.pool().getConnection();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT id FROM recovery FOR UPDATE");
      assertThat(recoveries.complete(10)).isZero();
      other.rollback();
    }
    assertThat(recoveries.complete(10)).isEqualTo(1);
    assertThat(openOnes()).isZero();
  }

  @Test
  void summary_tells_percentiles_of_what_was_found_in_the_window() {
    store.run(
        """
        INSERT INTO recovery (kind, task_id, last_sign_at, detected_at, promised_ms, running_again_at, closed)
        SELECT 'agent_silent', gen_random_uuid(), now - n * interval '1 s', now, 98000,
               CASE WHEN n <= 50 THEN now + n * interval '1 s' END, n <= 90
        FROM generate_series(1, 100) AS n, (SELECT belay_now() - interval '1 h' AS now) AS clock\
        """);
    store.run(
        """
        INSERT INTO recovery (kind, task_id, last_sign_at, detected_at, promised_ms, closed)
        SELECT 'agent_silent', gen_random_uuid(), now - interval '1 h', now, 1000, true
        FROM (SELECT belay_now() - interval '8 d' AS now) AS clock\
        """);
    store.run(
        """
        INSERT INTO recovery (kind, last_sign_at, detected_at, promised_ms, closed)
        VALUES ('of_the_future', belay_now(), belay_now(), 1, true)\
        """);
    var summary = recoveries.summary(WEEK);
    assertThat(summary.stream().map(KindSummary::kind))
        .containsExactlyElementsOf(
            Stream.of(RecoveryKind.values()).map(RecoveryKind::word).toList());
    assertThat(of(RecoveryKind.AGENT_SILENT, WEEK))
        .isEqualTo(
            new KindSummary(
                "agent_silent",
                "agent_lost",
                100_000,
                100,
                new Measured(100, 50_000L, 99_000L, 100_000L),
                new Measured(50, 50_000L, 100_000L, 100_000L),
                10,
                2));
    assertThat(of(RecoveryKind.NOT_REPORTED, WEEK))
        .isEqualTo(
            new KindSummary(
                "not_reported",
                "not_reported",
                20_000,
                0,
                Measured.NOTHING,
                Measured.NOTHING,
                0,
                0));
    assertThat(of(RecoveryKind.AGENT_SILENT, Duration.ofMinutes(59)).count()).isZero();
    assertThat(of(RecoveryKind.AGENT_SILENT, Duration.ofDays(90)).count()).isEqualTo(101);
  }

  @Test
  void pages_show_every_recovery_once_while_others_are_written() {
    for (int i = 0; i < 11; i++) {
      recoveryOf(store.ids().next(), null);
    }
    var seen = new ArrayList<Long>();
    @Nullable Long cursor = null;
    do {
      var page = recoveries.list(cursor, 3);
      page.items().forEach(one -> seen.add(one.id()));
      cursor = page.next();
      recoveryOf(store.ids().next(), null);
    } while (cursor != null);
    assertThat(seen)
        .hasSize(11)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo((a, b) -> Long.compare(b, a));
  }

  @Test
  void single_recovery_tells_who_and_how_long() {
    store.worker();
    var run = store.openRun();
    var task = store.task(TaskState.RUNNING, run);
    record(found(RecoveryKind.DISPATCH_LOST, new TaskId(task), null, Duration.ofMinutes(4)));
    store.run("UPDATE recovery SET worker_id = '" + StoreFixture.WORKER + "'");
    ran(task, "3 s");
    var open = recoveries.list(null, 1).items().getFirst();
    assertThat(open.open() && open.late()).isTrue();
    assertThat(open.detectedMs()).isEqualTo(240_000);
    assertThat(open.run()).isEqualTo(run);
    assertThat(open.taskName()).isEqualTo("t-" + task);
    assertThat(open.workerName()).isEqualTo("one");
    recoveries.complete(10);
    var closed = recoveries.list(null, 1).items().getFirst();
    assertThat(closed.open()).isFalse();
    assertThat(closed.runningAgainMs()).isEqualTo(243_000);
  }

  @Test
  void old_ones_are_forgotten_some_at_a_time() {
    for (int i = 0; i < 3; i++) {
      recoveryOf(store.ids().next(), null);
    }
    store.run(
        "UPDATE recovery SET detected_at = belay_now() - interval '91 d' WHERE id < (SELECT max(id)"
            + " FROM recovery)");
    assertThat(forget(Duration.ofDays(90), 1)).isEqualTo(1);
    assertThat(forget(Duration.ofDays(90), 10)).isEqualTo(1);
    assertThat(forget(Duration.ofDays(90), 10)).isZero();
    assertThat(store.count("recovery")).isEqualTo(1);
  }

  /** A recovery of this task, detected now and on time; its dispatch is not the current one. */
  private void recoveryOf(UUID task, @Nullable UUID dispatch) {
    record(
        found(
            RecoveryKind.AGENT_CLOSED,
            new TaskId(task),
            dispatch == null ? null : new DispatchId(dispatch),
            Duration.ofSeconds(15)));
  }

  /** The task started to run this long after the detection. */
  private void ran(UUID task, String after) {
    store.run(
        """
        INSERT INTO step (task_id, attempt, from_state, to_state, reason, actor, at)
        SELECT task_id, 1, 'DISPATCHED', 'RUNNING', 'started', 'worker', detected_at + interval '%s'
        FROM recovery WHERE task_id = '%s'\
        """
            .formatted(after, task));
  }

  private KindSummary of(RecoveryKind kind, Duration window) {
    return recoveries.summary(window).stream()
        .filter(one -> one.kind().equals(kind.word()))
        .findFirst()
        .orElseThrow();
  }

  private long openOnes() {
    return Long.parseLong(store.text("SELECT count(*) FROM recovery WHERE NOT closed"));
  }

  private Recovered found(RecoveryKind kind, Duration since) {
    return found(kind, new TaskId(store.ids().next()), null, since);
  }

  private static Recovered found(
      RecoveryKind kind, TaskId task, @Nullable DispatchId dispatch, Duration since) {
    return new Recovered(kind, task, null, dispatch, null, since, Promises.DEFAULT.of(kind));
  }

  private void record(Recovered... recovered) {
    store.jdbi().useTransaction(handle -> new RecoverySql(handle).record(List.of(recovered)));
  }

  private int forget(Duration retention, int max) {
    return store.jdbi().withHandle(handle -> Recoveries.forget(handle, retention, max));
  }
}
