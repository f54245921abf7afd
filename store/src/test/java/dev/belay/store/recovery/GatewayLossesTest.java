package dev.belay.store.recovery;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.settle.Outcome;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.fixture.LiveStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Losses that workers report are recoveries too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayLossesTest {

  private final LiveStore store = new LiveStore();
  private final Recoveries recoveries = new Recoveries(store.jdbi(), Promises.DEFAULT);
  private Peer worker = store.newWorker();
  private TaskId task = store.submit(RETRIES);
  private DispatchId dispatch = store.claim(worker, task);

  @BeforeEach
  void running() {
    store.clear();
    worker = store.newWorker();
    task = store.submit(RETRIES);
    dispatch = store.claim(worker, task);
    apply(store.started(worker, dispatch));
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void restart_counts_from_the_hello_until_the_task_runs_elsewhere() {
    longAgo("connected_at", "1 s");
    apply(lost("worker_restarted"));
    var found = only();
    assertThat(found.kind()).isEqualTo("worker_restarted");
    assertThat(found.task()).isEqualTo(task.value());
    assertThat(found.dispatch()).isEqualTo(dispatch.value());
    assertThat(found.worker()).isEqualTo(worker.worker().value());
    assertThat(found.promisedMs()).isEqualTo(3_000);
    assertThat(found.detectedMs()).isBetween(1_000L, 2_500L);
    assertThat(found.late()).isFalse();
    recoveries.complete(10);
    assertThat(only().open()).isTrue();

    store.due.promote(store.epoch(), 10);
    var other = store.newWorker();
    var second = store.claim(other, task);
    recoveries.complete(10);
    assertThat(only().open()).isTrue();
    apply(store.started(other, second));
    apply(store.exited(other, second, 0));
    recoveries.complete(10);
    assertThat(only().open()).isFalse();
    assertThat(only().runningAgainAt()).isAfterOrEqualTo(only().detectedAt());
  }

  @Test
  void restart_says_when_the_process_before_it_was_last_heard_of() {
    longAgo("last_seen_at", "60 s");
    store
        .rows()
        .run(
            "UPDATE task SET dispatched_at = belay_now() - interval '90 s', started_at ="
                + " belay_now() - interval '90 s'");
    store.register(store.restarted(worker), 2_000);
    apply(lost("worker_restarted"));
    assertThat(
            store.attempt(dispatch, "round(extract(epoch FROM belay_now() - last_heard_at), -1)"))
        .isEqualTo("60");
  }

  @Test
  void loss_after_a_slow_hello_is_late_and_alerts() {
    longAgo("connected_at", "10 s");
    apply(lost("machine_rebooted"));
    assertThat(only().late()).isTrue();
    assertThat(new Alerts(store.jdbi()).list(null, 5).items().getFirst().detail())
        .startsWith("machine_rebooted was found after 1")
        .contains("promised within 3.000 s: task " + task);
  }

  @Test
  void missing_dispatch_counts_from_two_reports_before_the_last() {
    longAgo("last_seen_at", "1 s");
    store
        .rows()
        .run(
            "UPDATE task SET started_at = started_at - interval '1 h', dispatched_at ="
                + " dispatched_at - interval '1 h'");
    apply(lost("not_reported"));
    assertThat(only().promisedMs()).isEqualTo(20_000);
    assertThat(only().detectedMs()).isBetween(11_000L, 14_000L);
  }

  @Test
  void start_is_a_sign_of_life_too() {
    apply(lost("not_reported"));
    assertThat(only().detectedMs()).isLessThan(5_000);
  }

  @Test
  void loss_that_changes_nothing_is_no_recovery() {
    apply(lost("worker_restarted"), store.exited(worker, dispatch, 0));
    assertThat(store.task(task)).isEqualTo("SUCCEEDED exit_code: 0");
    apply(lost("worker_restarted"));
    assertThat(store.rows().count("recovery")).isZero();
  }

  @Test
  void loss_that_is_told_twice_is_one_recovery() {
    apply(lost("not_reported"), lost("not_reported"));
    apply(lost("not_reported"));
    assertThat(store.rows().count("recovery")).isEqualTo(1);
  }

  @Test
  void loss_for_another_reason_is_none_of_ours() {
    apply(store.lost(worker, dispatch));
    assertThat(store.rows().count("recovery")).isZero();
  }

  @Test
  void loss_that_uses_up_the_tries_is_closed_without_running_again() {
    apply(lost("worker_restarted"));
    store.due.promote(store.epoch(), 10);
    dispatch = store.claim(worker, task);
    apply(lost("worker_restarted"));
    assertThat(store.task(task)).isEqualTo("FAILED worker_restarted");
    recoveries.complete(10);
    var summary =
        recoveries.summary(Duration.ofHours(1)).stream()
            .filter(one -> one.kind().equals("worker_restarted"))
            .findFirst()
            .orElseThrow();
    assertThat(summary.count()).isEqualTo(2);
    assertThat(summary.open() + summary.runningAgain().count()).isZero();
  }

  private void longAgo(String column, String interval) {
    store
        .rows()
        .run("UPDATE worker SET %s = belay_now() - interval '%s'".formatted(column, interval));
  }

  private Recovery only() {
    return recoveries.list(null, 5).items().getFirst();
  }

  private WorkerEvent lost(String reason) {
    return WorkerEvent.Ended.of(
        worker.worker(), worker.session(), dispatch, task, new Outcome.Lost(reason, Duration.ZERO));
  }

  private void apply(WorkerEvent... events) {
    store.results.write(List.of(events));
  }
}
