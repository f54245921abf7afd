package dev.belay.store.steer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore;
import dev.belay.engine.port.Meters;
import dev.belay.engine.steer.Cancel;
import dev.belay.engine.steer.Steering;
import dev.belay.engine.steer.Terminate;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.transaction.PostgresTransactions;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SteeringTest {

  private final StoreFixture store = new StoreFixture();
  private final Steering steering =
      new Steering(
          new PostgresTransactions(store.jdbi()),
          store.hints(),
          Meters.NONE,
          DispatchStore.ROUTABLE_SILENCE);

  @BeforeAll
  void worker() {
    store.worker();
  }

  @BeforeEach
  void forget() {
    store.hinted().clear();
    store.run("DELETE FROM mark");
  }

  @AfterAll
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void each_state_is_cancelled_in_its_way(TaskState state) {
    var run = store.openRun();
    var task = store.task(state, run);
    var answer = steering.cancelTask(new TaskId(task), "me");
    switch (state.kind()) {
      case IDLE -> {
        assertThat(answer).isEqualTo(new Terminate.Done(TaskState.CANCELLED));
        assertThat(state(task)).isEqualTo("CANCELLED cancelled true");
        assertThat(lastTransition(task)).isEqualTo(state + " CANCELLED cancelled me");
        assertThat(store.text("SELECT run_id FROM mark")).isEqualTo(run.toString());
        assertThat(store.hinted()).containsExactly("runChanged");
      }
      case ACTIVE -> {
        assertThat(answer).isInstanceOf(Terminate.Asked.class);
        assertThat(state(task)).isEqualTo(state + " test false");
        assertThat(abortReason(task)).isEqualTo("cancelled");
        assertThat(store.hinted()).containsExactly("mailbox " + StoreFixture.WORKER);
        assertThat(store.count("mark")).isZero();
      }
      case TERMINAL -> {
        assertThat(answer).isEqualTo(new Terminate.AlreadyOver(state));
        assertThat(state(task)).isEqualTo(state + " test true");
        assertThat(store.hinted()).isEmpty();
        assertThat(store.count("mark")).isZero();
      }
    }
  }

  @Test
  void the_first_abort_reason_wins() {
    var task = store.task(TaskState.RUNNING, null);
    store.run("UPDATE task SET abort_reason = 'graceful_shutdown' WHERE id = '" + task + "'");
    assertThat(steering.cancelTask(new TaskId(task), "me"))
        .isInstanceOfSatisfying(
            Terminate.AlreadyAsked.class,
            asked -> assertThat(asked.reason()).isEqualTo(AbortReason.GRACEFUL_SHUTDOWN));
    assertThat(abortReason(task)).isEqualTo("graceful_shutdown");
  }

  @Test
  void a_cancel_that_waited_for_a_claim_aborts_the_dispatch_instead() throws Exception {
    var task = store.task(TaskState.SCHEDULED, null);
    var dispatch = store.ids().next();
    try (var claim = store.pool().getConnection();
        var threads = Executors.newSingleThreadExecutor()) {
      claim.setAutoCommit(false);
      claim
          .createStatement()
          .execute(
              "UPDATE task SET state = 'DISPATCHED', fencing_token = 1, epoch = 1, dispatched_at = belay_now(), dispatch_id = '%s',"
                      .formatted(dispatch)
                  + " worker_id = '%s', session_id = '%s' WHERE id = '%s'"
                      .formatted(StoreFixture.WORKER, StoreFixture.SESSION, task));
      var cancel = threads.submit(() -> steering.cancelTask(new TaskId(task), "me"));
      while (store
          .text(
              "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname ="
                  + " current_database()")
          .isEmpty()) {
        Thread.onSpinWait();
      }
      claim.commit();
      assertThat(cancel.get()).isEqualTo(new Terminate.Asked(new DispatchId(dispatch)));
    }
    assertThat(abortReason(task)).isEqualTo("cancelled");
    assertThat(state(task)).startsWith("DISPATCHED");
  }

  @Test
  void a_cancelled_run_is_marked_and_its_active_tasks_are_asked_to_end() {
    var run = store.openRun();
    var running = store.task(TaskState.RUNNING, run);
    var waiting = store.task(TaskState.WAITING, run);
    var elsewhere = store.task(TaskState.RUNNING, null);
    assertThat(steering.cancelRun(new RunId(run), "me")).isEqualTo(new Cancel.Asked());
    assertThat(store.text("SELECT cancel_requested_by FROM run WHERE id = '" + run + "'"))
        .isEqualTo("me");
    assertThat(store.text("SELECT run_id FROM mark")).isEqualTo(run.toString());
    assertThat(abortReason(running)).isEqualTo("cancelled");
    assertThat(abortReason(elsewhere)).isEmpty();
    assertThat(state(waiting)).startsWith("WAITING");
    assertThat(store.hinted())
        .containsExactlyInAnyOrder("mailbox " + StoreFixture.WORKER, "runChanged");
  }

  @Test
  void a_run_is_asked_once_and_a_finished_one_not_at_all() {
    var run = store.openRun();
    steering.cancelRun(new RunId(run), "first");
    assertThat(steering.cancelRun(new RunId(run), "second")).isEqualTo(new Cancel.Asked());
    assertThat(store.text("SELECT cancel_requested_by FROM run WHERE id = '" + run + "'"))
        .isEqualTo("first");
    assertThat(store.count("mark")).isEqualTo(1);
    store.run("UPDATE run SET state = 'FAILED', ended_at = belay_now() WHERE id = '" + run + "'");
    assertThat(steering.cancelRun(new RunId(run), "me"))
        .isEqualTo(new Cancel.AlreadyOver(RunState.FAILED));
  }

  @Test
  void what_does_not_exist_is_not_found() {
    assertThat(steering.cancelTask(new TaskId(store.ids().next()), "me"))
        .isEqualTo(new Terminate.NotFound());
    assertThat(steering.cancelRun(new RunId(store.ids().next()), "me"))
        .isEqualTo(new Cancel.NotFound());
  }

  private String state(UUID task) {
    return store.text(
        "SELECT state || ' ' || reason || ' ' || (ended_at IS NOT NULL) FROM task WHERE id = '"
            + task
            + "'");
  }

  private String lastTransition(UUID task) {
    return store.text(
        "SELECT from_state || ' ' || to_state || ' ' || reason || ' ' || actor FROM history WHERE task_id = '%s'"
            .formatted(task));
  }

  private String abortReason(UUID task) {
    return store.text(
        "SELECT coalesce(abort_reason, '') FROM attempt WHERE task_id = '" + task + "'");
  }
}
