package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.dispatch.Conflicts;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.LimitStatements.Cancelled;
import dev.belay.engine.statement.LimitStatements.CancelledNew;
import dev.belay.engine.statement.LimitStatements.FullKey;
import dev.belay.engine.statement.LimitStatements.Granted;
import dev.belay.engine.statement.LimitStatements.Hold;
import dev.belay.engine.statement.LimitStatements.Withdrawal;
import dev.belay.simulation.Intake.Keys;
import dev.belay.simulation.Intake.WantedTask;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Buckets never hold more than they may, and only a key that is really full ends tasks. */
abstract class LimitContract extends Contract {

  static final OfTenant BUCKET = new OfTenant(WorkflowSpec.DEFAULT_TENANT, "api");

  LimitContract(Ground ground) {
    super(ground);
  }

  /** Ten tokens, ten a second. */
  static Granted withdraw(Stage stage, int held, int wanted) {
    return withdraw(stage, new Withdrawal(BUCKET, 10, 10, held, 0, wanted, new Hold(1e9, 0)));
  }

  private static Granted withdraw(Stage stage, Withdrawal wanted) {
    return stage
        .store
        .transactions()
        .asLeader(stage.epoch, statements -> statements.limits().withdraw(List.of(wanted)))
        .getFirst();
  }

  static Keys key(OnConflict rule) {
    return new Keys(new Concurrency("k", 1, rule), null);
  }

  private static QueueId queue(Stage stage, Keys keys) {
    var wanted = Stage.wanted(RETRIES, POOL, 50, null);
    var queue = new WantedTask("t", 50, POOL, wanted.work(), null, null, keys).queue();
    return Objects.requireNonNull(stage.store.queues().intern(List.of(queue)).get(queue));
  }

  static CancelledNew cancelNew(Stage stage, int max) {
    QueueId queue = queue(stage, key(OnConflict.CANCEL_NEW));
    var full = new FullKey(queue, 1, Set.of(queue, queue(stage, key(OnConflict.QUEUE))));
    return stage
        .store
        .transactions()
        .asLeader(
            stage.epoch,
            statements ->
                statements.limits().cancelNew(List.of(full), max, "concurrency_key", "dispatcher"));
  }

  static Set<WorkerId> cancelRunning(Stage stage) {
    QueueId queue = queue(stage, key(OnConflict.CANCEL_RUNNING));
    var full = new FullKey(queue, 1, Set.of(queue));
    return stage
        .store
        .transactions()
        .asLeader(stage.epoch, statements -> Conflicts.askOldest(statements, List.of(full)));
  }

  @Test
  void a_new_bucket_is_full_and_fills_by_the_clock_of_the_database() {
    assertThat(withdraw(stage, 0, 7)).isEqualTo(new Granted(BUCKET, 7, 3));
    assertThat(withdraw(stage, 0, 7)).isEqualTo(new Granted(BUCKET, 3, 0));
    stage.clock.step(Duration.ofMillis(250));
    assertThat(withdraw(stage, 0, 7)).isEqualTo(new Granted(BUCKET, 2, 0.5));
    stage.clock.step(Duration.ofMillis(50));
    assertThat(withdraw(stage, 0, 7)).isEqualTo(new Granted(BUCKET, 1, 0));
    stage.clock.step(Duration.ofHours(1));
    assertThat(withdraw(stage, 0, 70))
        .as("never more than it holds")
        .isEqualTo(new Granted(BUCKET, 10, 0));
  }

  @Test
  void a_clock_that_is_set_back_fills_nothing_twice_and_takes_nothing_away() {
    withdraw(stage, 0, 6);
    stage.clock.step(Duration.ofHours(-1));
    assertThat(withdraw(stage, 0, 1)).isEqualTo(new Granted(BUCKET, 1, 3));
    stage.clock.step(Duration.ofMillis(100));
    assertThat(withdraw(stage, 0, 0)).isEqualTo(new Granted(BUCKET, 0, 4));
  }

  @Test
  void tokens_that_the_leader_holds_are_part_of_the_bucket() {
    withdraw(stage, 0, 6);
    stage.clock.step(Duration.ofHours(1));
    assertThat(withdraw(stage, 6, 10)).isEqualTo(new Granted(BUCKET, 4, 0));
    stage.clock.step(Duration.ofHours(1));
    assertThat(withdraw(stage, 12, 10))
        .as("after it was made smaller")
        .isEqualTo(new Granted(BUCKET, 0, 0));
  }

  /** Ten tokens were held for 0.3 s, so nothing flowed in meanwhile. */
  @Test
  void nothing_flows_into_a_bucket_whose_tokens_are_all_held() {
    withdraw(stage, 0, 10);
    stage.clock.step(Duration.ofMillis(500));
    assertThat(held(new Hold(0.5, 0.3))).isEqualTo(new Granted(BUCKET, 0, 2));
  }

  @Test
  void a_clock_that_runs_ahead_did_so_while_tokens_were_held() {
    withdraw(stage, 0, 10);
    stage.clock.step(Duration.ofMinutes(1));
    assertThat(held(new Hold(0.5, 0.25))).isEqualTo(new Granted(BUCKET, 0, 2.5));
  }

  @Test
  void an_earlier_leader_may_have_held_its_tokens_until_it_was_deposed() {
    withdraw(stage, 0, 10);
    stage.clock.step(Duration.ofSeconds(5));
    stage.epoch = stage.election("r1").campaign().orElseThrow();
    stage.clock.step(Duration.ofMillis(500));
    assertThat(held(Hold.UNKNOWN)).isEqualTo(new Granted(BUCKET, 0, 5));
  }

  @Test
  void what_the_leader_does_not_need_goes_back() {
    withdraw(stage, 0, 10);
    var back = new Withdrawal(BUCKET, 10, 10, 0, 7, 0, new Hold(0, 0));
    assertThat(withdraw(stage, back)).isEqualTo(new Granted(BUCKET, 0, 7));
  }

  private Granted held(Hold hold) {
    return withdraw(stage, new Withdrawal(BUCKET, 10, 10, 0, 0, 0, hold));
  }

  @Test
  void keys_of_different_tenants_are_different_buckets() {
    withdraw(stage, 0, 10);
    var other = new OfTenant("other", BUCKET.name());
    assertThat(withdraw(stage, new Withdrawal(other, 10, 10, 0, 0, 10, Hold.UNKNOWN)).tokens())
        .isEqualTo(10);
  }

  @Test
  void a_deposed_leader_withdraws_nothing() {
    withdraw(stage, 0, 4);
    stage.election("r1").campaign();
    stage.epoch = new Epoch(0);
    assertThatThrownBy(() -> withdraw(stage, 0, 4)).isInstanceOf(Deposed.class);
    stage.epoch = new Epoch(1);
    assertThat(withdraw(stage, 0, 10).tokens()).isEqualTo(6);
  }

  @Test
  void a_task_that_finds_no_place_is_cancelled() {
    var holder = stage.claimed(stage.newWorker(), stage.submit(key(OnConflict.QUEUE)));
    var late = stage.submit(key(OnConflict.CANCEL_NEW));
    var other = stage.submit(key(OnConflict.QUEUE));
    assertThat(cancelNew(stage, 10).tasks()).containsExactly(new Cancelled(late, null));
    assertThat(stage.path(late))
        .containsExactly("SCHEDULED submitted", "CANCELLED concurrency_key");
    assertThat(stage.state(other)).isEqualTo(TaskState.SCHEDULED);
    assertThat(stage.state(holder.task())).isEqualTo(TaskState.DISPATCHED);
    assertThat(cancelNew(stage, 10).tasks()).isEmpty();
  }

  @Test
  void a_task_whose_key_has_a_place_is_left_alone() {
    var holder = stage.running(key(OnConflict.QUEUE));
    var late = stage.submit(key(OnConflict.CANCEL_NEW));
    stage.heartbeat(holder.exited(0));
    assertThat(cancelNew(stage, 10)).isEqualTo(new CancelledNew(Set.of(), List.of()));
    assertThat(stage.state(late)).isEqualTo(TaskState.SCHEDULED);
  }

  @Test
  void tasks_are_cancelled_in_batches_and_their_runs_go_on() {
    stage.claimed(stage.newWorker(), stage.submit(key(OnConflict.QUEUE)));
    List.of(1, 2, 3).forEach(each -> stage.submit(key(OnConflict.CANCEL_NEW)));
    assertThat(cancelNew(stage, 2).tasks()).hasSize(2);
    assertThat(cancelNew(stage, 2).tasks()).hasSize(1);
    assertThat(cancelNew(stage, 2).full()).hasSize(1);
  }

  @Test
  void a_deposed_leader_cancels_nothing() {
    stage.claimed(stage.newWorker(), stage.submit(key(OnConflict.QUEUE)));
    TaskId late = stage.submit(key(OnConflict.CANCEL_NEW));
    stage.election("r1").campaign();
    stage.epoch = new Epoch(0);
    assertThatThrownBy(() -> cancelNew(stage, 2)).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> cancelRunning(stage)).isInstanceOf(Deposed.class);
    assertThat(stage.state(late)).isEqualTo(TaskState.SCHEDULED);
  }

  @Test
  void oldest_holder_is_asked_to_end_once() {
    var first = stage.running(key(OnConflict.CANCEL_RUNNING));
    stage.clock.step(Duration.ofSeconds(1));
    var second = stage.running(key(OnConflict.CANCEL_RUNNING));
    assertThat(cancelRunning(stage)).as("nobody waits").isEmpty();
    var late = stage.submit(key(OnConflict.CANCEL_RUNNING));
    stage.intake.terminateTask(second.task(), AbortReason.CANCELLED);
    assertThat(cancelRunning(stage))
        .as("two hold what one may")
        .containsExactly(first.to().worker());
    assertThat(stage.abortReason(first)).isEqualTo("concurrency_key");
    assertThat(stage.abortReason(second)).isEqualTo("cancelled");
    assertThat(cancelRunning(stage)).isEmpty();
    stage.heartbeat(first.killed(15));
    assertThat(stage.path(first.task())).endsWith("CANCELLED concurrency_key");
    assertThat(stage.state(late)).isEqualTo(TaskState.SCHEDULED);
  }

  /** It was refused, and runs again, since it was found. */
  @Test
  void the_next_attempt_of_a_holder_is_not_asked() {
    var first = stage.dispatched(RETRIES);
    stage.heartbeat(first.refused());
    var next = stage.claimed(first.to(), first.task());
    var found = List.of(new AttemptKey(first.task(), first.id()));
    var told = stage.store.transactions().together(statements -> Conflicts.ask(statements, found));
    assertThat(told).isEmpty();
    assertThat(stage.abortReason(next)).isNull();
  }

  @Test
  void a_holder_that_succeeds_anyway_succeeds() {
    var holder = stage.running(key(OnConflict.CANCEL_RUNNING));
    stage.submit(key(OnConflict.CANCEL_RUNNING));
    assertThat(cancelRunning(stage)).hasSize(1);
    stage.heartbeat(holder.exited(0));
    assertThat(stage.state(holder.task())).isEqualTo(TaskState.SUCCEEDED);
    assertThat(cancelRunning(stage)).isEmpty();
  }
}
