package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.deadletter.GiveUp;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.statement.DeadLetterStatements.Hopeless;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.simulation.Observed.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is given up has one dead letter, and nothing else has. */
abstract class DeadLetterContract extends Contract {

  static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final String WHY = "no worker of the pool";

  DeadLetterContract(Ground ground) {
    super(ground);
  }

  static int giveUp(Stage stage, String pool, Instant since, int max) {
    var queue = QueueOf.alone(WorkflowSpec.DEFAULT_TENANT, pool, RunPolicy.DEFAULT);
    return giveUp(stage, id(stage, queue), since, max);
  }

  private static QueueId id(Stage stage, TaskQueue queue) {
    return Objects.requireNonNull(stage.store.queues().intern(List.of(queue)).get(queue));
  }

  private static int giveUp(Stage stage, QueueId queue, Instant since, int max) {
    var hopeless = new Hopeless(queue, DeadLetterReason.NO_WORKERS, WHY, since, PATIENCE);
    return new GiveUp(stage.store.transactions(), stage.deadLetters, Hints.NONE, Meters.NONE)
        .runOnce(stage.epoch, List.of(hopeless), stage.store.routing().version(), max);
  }

  private int giveUp(String pool) {
    return giveUp(stage, pool, Instant.EPOCH, 10);
  }

  static List<DeadLetter> letters(Stage stage, TaskId task) {
    return stage.observed.deadLetters(List.of(task));
  }

  private TaskId waiting(String pool) {
    return stage.submit(RETRIES, pool, 50, null);
  }

  @Test
  void a_task_is_given_up_when_its_time_in_its_queue_is_over() {
    var task = waiting(POOL);
    var other = waiting("other");
    stage.clock.step(PATIENCE.minusSeconds(1));
    assertThat(giveUp(POOL)).isZero();
    stage.clock.step(Duration.ofSeconds(1));
    assertThat(giveUp(POOL)).isEqualTo(1);
    assertThat(stage.path(task))
        .containsExactly("SCHEDULED submitted", "FAILED no_workers: " + WHY);
    assertThat(letters(stage, task))
        .containsExactly(new DeadLetter(task, 1, DeadLetterReason.NO_WORKERS, false));
    assertThat(stage.state(other)).isEqualTo(TaskState.SCHEDULED);
    assertThat(letters(stage, other)).isEmpty();
    assertThat(giveUp(POOL)).isZero();
  }

  @Test
  void the_time_counts_from_when_the_queue_was_lost() {
    waiting(POOL);
    stage.clock.step(PATIENCE.multipliedBy(2));
    var lost = stage.clock.instant().minus(PATIENCE);
    assertThat(giveUp(stage, POOL, lost.plusSeconds(1), 10)).isZero();
    assertThat(giveUp(stage, POOL, lost, 10)).isEqualTo(1);
  }

  @Test
  void tasks_are_given_up_in_batches() {
    List.of(1, 2, 3).forEach(each -> waiting(POOL));
    stage.clock.step(PATIENCE);
    assertThat(giveUp(stage, POOL, Instant.EPOCH, 2)).isEqualTo(2);
    assertThat(giveUp(stage, POOL, Instant.EPOCH, 2)).isEqualTo(1);
  }

  @Test
  void a_deposed_leader_gives_nothing_up() {
    var task = waiting(POOL);
    stage.clock.step(PATIENCE);
    stage.election("r1").campaign();
    stage.epoch = new Epoch(0);
    assertThatThrownBy(() -> giveUp(POOL)).isInstanceOf(Deposed.class);
    assertThat(stage.state(task)).isEqualTo(TaskState.SCHEDULED);
  }

  @Test
  void a_task_that_runs_or_waits_for_a_time_is_left_alone() {
    var active = stage.dispatched(RETRIES);
    var retried = stage.dispatched(RETRIES);
    stage.heartbeat(retried.exited(1));
    stage.clock.step(PATIENCE);
    assertThat(giveUp(POOL)).isZero();
    assertThat(stage.state(active.task())).isEqualTo(TaskState.DISPATCHED);
    assertThat(stage.state(retried.task())).isEqualTo(TaskState.PENDING);
  }

  @Test
  void an_executor_that_is_down_twice_leaves_a_dead_letter_and_a_retry_closes_it() {
    var task = stage.submit(RETRIES);
    down(task);
    assertThat(stage.path(task)).endsWith("SCHEDULED dispatch_failed: no resources: files");
    assertThat(letters(stage, task)).isEmpty();
    down(task);
    assertThat(stage.path(task)).endsWith("FAILED dispatch_failed: no resources: files");
    assertThat(letters(stage, task))
        .containsExactly(new DeadLetter(task, 1, DeadLetterReason.DISPATCH_FAILED, false));
    stage.intake.retryTask(task);
    assertThat(letters(stage, task))
        .containsExactly(new DeadLetter(task, 1, DeadLetterReason.DISPATCH_FAILED, true));
    stage.promote();
    down(task);
    assertThat(letters(stage, task)).hasSize(1);
    down(task);
    assertThat(letters(stage, task)).extracting(DeadLetter::generation).containsExactly(1, 2);
  }

  private void down(TaskId task) {
    stage.clock.step(Stage.BACKOFF);
    var claimed = stage.claimed(stage.newWorker(), task);
    var refused =
        WorkerEvent.Ended.of(
            claimed.to().worker(),
            claimed.to().session(),
            claimed.id(),
            task,
            new Outcome.Refused("no resources: files"));
    assertThat(stage.heartbeat(refused)).containsExactly(Answer.APPLIED);
    assertThat(stage.heartbeat(refused)).containsExactly(Answer.DUPLICATE);
  }

  @Test
  void a_run_goes_on_when_one_of_its_tasks_is_given_up() throws Exception {
    var file = "name: w\ntasks: [{name: a, command: [x], pool: nowhere}]";
    stage.runs.register(file);
    var run = stage.runs.started();
    var task = stage.runs.task(run, "a");
    stage.clock.step(PATIENCE);
    assertThat(giveUp("nowhere")).isZero();
    var spec = Runs.spec(file);
    var queue = QueueOf.task(spec, spec.tasks().getFirst(), Template::text);
    assertThat(giveUp(stage, id(stage, queue), Instant.EPOCH, 10)).isEqualTo(1);
    assertThat(letters(stage, task)).hasSize(1);
    stage.runs.plan();
    assertThat(stage.path(run)).endsWith("FAILED");
  }
}
