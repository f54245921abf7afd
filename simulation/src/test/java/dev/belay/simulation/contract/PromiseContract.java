package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.engine.statement.PromiseStatements.Overdue;
import dev.belay.engine.statement.PromiseStatements.TimedOut;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs that take too long. */
abstract class PromiseContract extends Contract {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Runs runs = stage.runs;

  PromiseContract(Ground ground) {
    super(ground);
  }

  /** The runs that this turn of a leader times out. */
  static List<RunId> timeOut(Stage stage) {
    return stage
        .store
        .transactions()
        .asLeader(stage.epoch, statements -> statements.promises().timeOut(10))
        .stream()
        .map(TimedOut::run)
        .toList();
  }

  private Set<RunId> alertOverdue(RunId run, int generation) {
    return stage
        .store
        .transactions()
        .asLeader(
            stage.epoch,
            statements ->
                statements.promises().alertOverdue(List.of(new Overdue(run, generation, "late"))));
  }

  @Test
  void run_times_out_once_and_not_before_its_time() {
    runs.registerOne("{timeout: 10s}");
    var run = runs.started();
    stage.clock.step(LIMIT.minusMillis(1));
    assertThat(timeOut(stage)).isEmpty();
    stage.clock.step(Duration.ofMillis(1));
    assertThat(timeOut(stage)).containsExactly(run);
    assertThat(runs.marked()).containsExactly(run);
    assertThat(runs.read(run).view().ending()).isEqualTo(AbortReason.RUN_TIMEOUT);
    assertThat(timeOut(stage)).isEmpty();
    runs.plan();
    assertThat(stage.path(runs.task(run, "a"))).endsWith("TIMEOUT run_timeout");
    assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "FAILED");
    assertThat(timeOut(stage)).isEmpty();
  }

  @Test
  void run_that_waits_for_its_turn_does_not_time_out() {
    runs.registerOne("{timeout: 10s}");
    runs.pause();
    var run = runs.started();
    stage.clock.step(LIMIT);
    assertThat(timeOut(stage)).isEmpty();
    runs.resume();
    runs.plan();
    stage.clock.step(LIMIT.minusMillis(1));
    assertThat(timeOut(stage)).isEmpty();
    stage.clock.step(Duration.ofMillis(1));
    assertThat(timeOut(stage)).containsExactly(run);
    runs.plan();
  }

  @Test
  void attempt_of_a_run_that_timed_out_is_asked_to_end_and_not_tried_again() {
    runs.register(
        "name: w\nrun: {timeout: 10s}\ntasks: [{name: a, command: [x], retry: {max: 3}}]");
    var run = runs.started();
    var active = stage.claimed(stage.newWorker(), runs.task(run, "a"));
    stage.clock.step(LIMIT);
    timeOut(stage);
    var applied = runs.intend(run).apply();
    assertThat(applied.toAbort()).containsExactly(active.to().worker());
    assertThat(stage.abortReason(active)).isEqualTo("run_timeout");
    assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING");
    stage.heartbeat(active.exitedAtOnce(143));
    runs.plan();
    assertThat(stage.path(runs.task(run, "a"))).endsWith("TIMEOUT run_timeout");
    assertThat(stage.path(run)).endsWith("FAILED");
  }

  @Test
  void success_that_comes_late_stays_and_what_follows_it_does_not_start() {
    runs.register(
        "name: w\nrun: {timeout: 10s}\n"
            + "tasks: [{name: a, command: [x]}, {name: b, command: [x], depends_on: [a]}]");
    var run = runs.started();
    var active = stage.claimed(stage.newWorker(), runs.task(run, "a"));
    stage.clock.step(LIMIT);
    timeOut(stage);
    runs.plan();
    stage.heartbeat(active.exitedAtOnce(0));
    runs.plan();
    assertThat(stage.path(runs.task(run, "a"))).endsWith("SUCCEEDED exit_code: 0");
    assertThat(stage.path(runs.task(run, "b")))
        .containsExactly("WAITING created", "TIMEOUT run_timeout");
    assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "FAILED");
  }

  @Test
  void run_whose_last_task_succeeds_late_succeeds() {
    runs.registerOne("{timeout: 10s}");
    var run = runs.started();
    var active = stage.claimed(stage.newWorker(), runs.task(run, "a"));
    stage.clock.step(LIMIT);
    timeOut(stage);
    runs.plan();
    stage.heartbeat(active.exitedAtOnce(0));
    runs.plan();
    assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "SUCCEEDED");
  }

  @Test
  void cancelled_run_does_not_time_out() {
    runs.registerOne("{timeout: 10s}");
    var run = runs.started();
    var active = stage.claimed(stage.newWorker(), runs.task(run, "a"));
    runs.cancel(run);
    stage.clock.step(LIMIT);
    assertThat(timeOut(stage)).isEmpty();
    stage.heartbeat(active.exitedAtOnce(143));
    runs.plan();
    assertThat(stage.path(run)).endsWith("CANCELLED");
  }

  @Test
  void run_that_timed_out_is_not_cancelled() {
    runs.registerOne("{timeout: 10s}");
    var run = runs.started();
    var active = stage.claimed(stage.newWorker(), runs.task(run, "a"));
    stage.clock.step(LIMIT);
    timeOut(stage);
    runs.cancel(run);
    runs.plan();
    assertThat(stage.abortReason(active)).isEqualTo("run_timeout");
    stage.heartbeat(active.exitedAtOnce(143));
    runs.plan();
    assertThat(stage.path(run)).endsWith("FAILED");
  }

  @Test
  void retried_run_has_all_its_time_again() {
    runs.registerOne("{timeout: 10s}");
    var run = runs.started();
    stage.clock.step(LIMIT);
    timeOut(stage);
    runs.plan();
    assertThat(stage.intake.retryRun(run)).isTrue();
    assertThat(runs.read(run).view().ending()).isNull();
    runs.plan();
    assertThat(stage.path(run)).endsWith("FAILED", "QUEUED", "RUNNING");
    stage.clock.step(LIMIT.minusMillis(1));
    assertThat(timeOut(stage)).isEmpty();
    stage.clock.step(Duration.ofMillis(1));
    assertThat(timeOut(stage)).containsExactly(run);
    runs.plan();
    assertThat(runs.state(run)).isEqualTo(RunState.FAILED);
  }

  @Test
  void deadline_of_an_open_run_is_told_once_a_generation() {
    runs.registerOne("{deadline: 10s}");
    runs.pause();
    var run = runs.started();
    assertThat(alertOverdue(run, 1)).isEmpty();
    stage.clock.step(LIMIT);
    assertThat(alertOverdue(run, 2)).isEmpty();
    assertThat(alertOverdue(run, 1)).containsExactly(run);
    assertThat(alertOverdue(run, 1)).isEmpty();
    runs.resume();
    runs.plan();
    runs.finish(run, "a", 1);
    runs.plan();
    assertThat(stage.intake.retryRun(run)).isTrue();
    assertThat(alertOverdue(run, 2)).isEmpty();
    stage.clock.step(LIMIT);
    assertThat(alertOverdue(run, 2)).containsExactly(run);
  }

  @Test
  void deadline_of_a_run_that_has_ended_is_kept() {
    runs.registerOne("{deadline: 10s}");
    var run = runs.started();
    runs.finish(run, "a", 0);
    runs.plan();
    stage.clock.step(LIMIT);
    assertThat(alertOverdue(run, 1)).isEmpty();
  }
}
