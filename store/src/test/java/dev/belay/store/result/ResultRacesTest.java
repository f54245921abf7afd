package dev.belay.store.result;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.result.Results;
import dev.belay.engine.steer.Terminate;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Two connections write about the same tasks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResultRacesTest {

  private final LiveStore store = new LiveStore();
  private Peer worker = store.newWorker();
  private TaskId task = store.submit(RETRIES);
  private DispatchId dispatch = store.claim(worker, task);

  @BeforeEach
  void dispatched() {
    store.clear();
    worker = store.newWorker();
    task = store.submit(RETRIES);
    dispatch = store.claim(worker, task);
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void batches_over_the_same_tasks_in_opposite_order_do_not_deadlock() {
    var other = store.submit(RETRIES);
    var second = store.claim(worker, other);
    // One holds the first task and wants the other; its rival names them in reverse order.
    try (var race = holding(task)) {
      var forth =
          race.next(
              () ->
                  store.results.write(
                      List.of(store.started(worker, dispatch), store.started(worker, second))));
      var back =
          race.next(
              () ->
                  store.results.write(
                      List.of(store.exited(worker, second, 0), store.exited(worker, dispatch, 0))));
      race.release();
      assertThat(answers(result(forth))).containsOnly(Answer.APPLIED);
      assertThat(answers(result(back))).containsOnly(Answer.APPLIED);
    }
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING SUCCEEDED");
    assertThat(store.path(other)).isEqualTo("SCHEDULED DISPATCHED RUNNING SUCCEEDED");
  }

  @Test
  void of_two_replicas_with_the_same_end_one_writes_it() {
    try (var race = holding(task)) {
      var first = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 1))));
      var second = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 1))));
      race.release();
      assertThat(answers(result(first))).containsExactly(Answer.APPLIED);
      assertThat(answers(result(second))).containsExactly(Answer.DUPLICATE);
    }
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING PENDING");
    assertThat(store.task(task, "error_count")).isEqualTo("1");
  }

  /** The batch took its snapshot before the cancel, but must decide by the cancel's write. */
  @Test
  void error_behind_a_cancel_is_not_tried_again() {
    try (var race = holding(task)) {
      var cancel = race.next(() -> store.steering.cancelTask(task, "me"));
      var end = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 1))));
      race.release();
      assertThat(result(cancel)).isInstanceOf(Terminate.Asked.class);
      assertThat(answers(result(end))).containsExactly(Answer.APPLIED);
    }
    assertThat(store.task(task)).isEqualTo("CANCELLED cancelled");
  }

  @Test
  void cancel_behind_an_error_ends_the_retry() {
    try (var race = holding(task)) {
      var end = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 1))));
      var cancel = race.next(() -> store.steering.cancelTask(task, "me"));
      race.release();
      assertThat(answers(result(end))).containsExactly(Answer.APPLIED);
      assertThat(result(cancel)).isEqualTo(new Terminate.Done(TaskState.CANCELLED));
    }
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING PENDING CANCELLED");
  }

  @Test
  void late_success_behind_the_next_claim_is_void() {
    makeScheduledAgain();
    var next = new DispatchId(store.ids().next());
    try (var race = holding(task)) {
      var claim =
          race.next(() -> store.claim(store.epoch(), worker, List.of(new Claim(task, next, 0))));
      var late = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 0))));
      race.release();
      assertThat(result(claim)).containsExactly(task);
      assertThat(answers(result(late))).containsExactly(Answer.VOID);
    }
    assertThat(store.task(task)).isEqualTo("DISPATCHED claimed");
    assertThat(store.task(task, "dispatch_id")).isEqualTo(next.toString());
  }

  @Test
  void claim_behind_a_late_success_takes_nothing() {
    makeScheduledAgain();
    try (var race = holding(task)) {
      var late = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 0))));
      var claim =
          race.next(
              () ->
                  store.claim(
                      store.epoch(),
                      worker,
                      List.of(new Claim(task, new DispatchId(store.ids().next()), 0))));
      race.release();
      assertThat(answers(result(late))).containsExactly(Answer.APPLIED);
      assertThat(result(claim)).isEmpty();
    }
    assertThat(store.task(task)).isEqualTo("SUCCEEDED late_success");
    assertThat(store.rows().count("attempt")).isEqualTo(1);
  }

  private void makeScheduledAgain() {
    store.results.write(List.of(store.lost(worker, dispatch)));
    store.due.promote(store.epoch(), 10);
  }

  private Race holding(TaskId held) {
    return new Race(store.rows(), "SELECT 1 FROM task WHERE id = '" + held + "' FOR UPDATE");
  }

  private static List<Answer> answers(Results.Written outcome) {
    return outcome.settlements().stream().map(Settlement::answer).toList();
  }
}
