package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.simulation.Intake.Keys;
import dev.belay.simulation.Intake.WantedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tasks that wait for a time. */
abstract class TimerContract extends Contract {

  private static final Duration DELAY = Duration.ofMillis(1_500);

  TimerContract(Ground ground) {
    super(ground);
  }

  @Test
  void delayed_task_is_eligible_when_its_time_has_come_and_not_before() {
    var task = submit(stage, DueTime.after(DELAY), null);
    assertThat(stage.path(task)).containsExactly("PENDING delayed");
    assertThat(stage.due.promote(stage.epoch, 10).nextDue()).contains(DELAY);
    stage.clock.step(DELAY.minusMillis(1));
    assertThat(stage.promote()).isZero();
    stage.clock.step(Duration.ofMillis(1));
    assertThat(stage.promote()).isEqualTo(1);
    assertThat(stage.promote()).as("once").isZero();
    assertThat(stage.path(task)).containsExactly("PENDING delayed", "SCHEDULED due");
    var times = stage.times(task);
    assertThat(Duration.between(times.get(0), times.get(1))).isEqualTo(DELAY);
  }

  @Test
  void task_with_a_point_in_time_waits_for_it_and_a_past_one_is_due_at_once() {
    Instant now = stage.clock.instant();
    var later = submit(stage, DueTime.at(now.plusSeconds(3)), null);
    var past = submit(stage, DueTime.at(now.minusSeconds(3)), null);
    assertThat(stage.promote()).isEqualTo(1);
    assertThat(stage.path(past)).containsExactly("PENDING run_at", "SCHEDULED due");
    stage.clock.step(Duration.ofSeconds(3));
    assertThat(stage.promote()).isEqualTo(1);
    assertThat(stage.path(later)).containsExactly("PENDING run_at", "SCHEDULED due");
  }

  @Test
  void a_step_of_the_clock_backwards_lets_a_timer_wait_for_longer() {
    var task = submit(stage, DueTime.after(DELAY), null);
    stage.clock.step(Duration.ofSeconds(-10));
    stage.clock.step(DELAY);
    assertThat(stage.promote()).isZero();
    stage.clock.step(Duration.ofSeconds(10));
    assertThat(stage.promote()).isEqualTo(1);
    assertThat(stage.state(task)).isEqualTo(TaskState.SCHEDULED);
  }

  @Test
  void deadline_counts_from_the_submit_and_ends_the_delay() {
    var task = submit(stage, DueTime.after(Duration.ofMinutes(5)), Duration.ofSeconds(10));
    stage.clock.step(Duration.ofSeconds(10));
    stage.reaps.expireDeadlines(stage.epoch, 10);
    assertThat(stage.path(task)).containsExactly("PENDING delayed", "TIMEOUT deadline_passed");
    stage.clock.step(Duration.ofMinutes(5));
    assertThat(stage.due.promote(stage.epoch, 10).nextDue()).isEmpty();
  }

  @Test
  void cancelled_delay_never_fires() {
    var task = submit(stage, DueTime.after(DELAY), null);
    stage.cancel(task);
    stage.clock.step(DELAY);
    assertThat(stage.promote()).isZero();
    assertThat(stage.path(task)).containsExactly("PENDING delayed", "CANCELLED cancelled");
  }

  @Test
  void wait_ends_with_success_and_without_a_recovery_and_the_run_goes_on() {
    stage.runs.register(
        "name: w\ntasks: [{name: a, wait: {for: 10s}}, {name: b, command: [x], depends_on: [a]},"
            + " {name: c, wait: {for: 1s}, depends_on: [b]}]");
    var run = stage.runs.started();
    var wait = stage.runs.task(run, "a");
    assertThat(stage.path(wait)).containsExactly("DEFERRED waiting");
    stage.clock.step(Duration.ofDays(8));
    assertThat(stage.reaps.expireWaits(stage.epoch, 10)).as("not the reaper's").isZero();
    assertThat(stage.reaps.replayPending(stage.epoch, 10)).isZero();
    var promoted = stage.due.promote(stage.epoch, 10);
    assertThat(promoted.count()).isEqualTo(1);
    assertThat(promoted.marked()).isTrue();
    assertThat(stage.path(wait)).containsExactly("DEFERRED waiting", "SUCCEEDED wait_over");
    assertThat(stage.observed.recoveriesAfter(0)).isEmpty();
    assertThat(stage.runs.marked()).containsExactly(run);
    stage.runs.plan();
    stage.runs.finish(run, "b", 0);
    stage.runs.plan();
    assertThat(stage.path(stage.runs.task(run, "c")))
        .containsExactly("WAITING created", "DEFERRED waiting");
    stage.clock.step(Duration.ofSeconds(1));
    assertThat(stage.promote()).isEqualTo(1);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void wait_until_a_past_time_ends_at_once() {
    stage.runs.register("name: w\ntasks: [{name: a, wait: {until: \"2001-01-01T00:00:00Z\"}}]");
    var run = stage.runs.started();
    assertThat(stage.promote()).isEqualTo(1);
    stage.runs.plan();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void cancelled_run_ends_its_wait() {
    stage.runs.register("name: w\ntasks: [{name: a, wait: {for: 10s}}]");
    var run = stage.runs.started();
    stage.runs.cancel(run);
    stage.runs.plan();
    assertThat(stage.path(stage.runs.task(run, "a")))
        .containsExactly("DEFERRED waiting", "CANCELLED cancelled");
    assertThat(stage.runs.state(run)).isEqualTo(RunState.CANCELLED);
  }

  @Test
  void a_batch_takes_the_longest_due_first() {
    var late = submit(stage, DueTime.after(Duration.ofMillis(20)), null);
    var early = submit(stage, DueTime.after(Duration.ofMillis(10)), null);
    stage.clock.step(Duration.ofSeconds(1));
    assertThat(stage.due.promote(stage.epoch, 1).count()).isEqualTo(1);
    assertThat(stage.state(early)).isEqualTo(TaskState.SCHEDULED);
    assertThat(stage.state(late)).isEqualTo(TaskState.PENDING);
    assertThat(stage.due.promote(stage.epoch, 1).count()).isEqualTo(1);
  }

  static TaskId submit(Stage stage, DueTime timer, @Nullable Duration end) {
    var work = new Work(List.of("true"), null, Map.of(), Stage.RETRIES);
    return stage
        .intake
        .submit(
            "timer " + stage.ids().next(),
            List.of(new WantedTask("t", 50, Stage.POOL, work, end, timer, Keys.NONE)))
        .getFirst();
  }
}
