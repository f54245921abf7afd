package dev.belay.domain.routing;

import static dev.belay.domain.routing.Workers.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.routing.FailingWorkers.Finding;
import dev.belay.domain.routing.FailingWorkers.Sample;
import dev.belay.domain.routing.FailingWorkers.Settings;
import dev.belay.domain.routing.FailingWorkers.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FailingWorkersTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final long QUEUE = 7;

  private final List<Sample> samples = new ArrayList<>();
  private int tasks;

  @Test
  void a_worker_that_fails_everything_at_once_is_set_aside_among_good_ones() {
    attempts(1, 10, State.FAILED, 10);
    attempts(2, 3, State.WELL, 500);
    attempts(3, 3, State.WELL, 500);

    assertThat(find()).containsExactly(new Finding(id(1), 10, 10, 2));
  }

  @Test
  void a_few_failures_say_nothing() {
    attempts(1, 9, State.FAILED, 10);
    attempts(2, 30, State.WELL, 500);

    assertThat(find()).isEmpty();
  }

  @Test
  void others_that_still_run_are_well_if_they_run_for_much_longer_than_the_failures_took() {
    attempts(1, 12, State.FAILED, 10);
    attempts(2, 3, State.RUNNING, 115);
    assertThat(find()).as("their reports may be on the way").isEmpty();

    attempts(3, 3, State.RUNNING, 130);
    assertThat(find()).containsExactly(new Finding(id(1), 12, 12, 1));
  }

  @Test
  void tasks_that_fail_everywhere_are_not_the_fault_of_a_worker() {
    attempts(1, 30, State.FAILED, 10);
    attempts(2, 5, State.FAILED, 10);
    assertThat(find()).as("another one fails").isEmpty();

    samples.clear();
    attempts(1, 30, State.FAILED, 10);
    assertThat(find()).as("nobody else tried").isEmpty();
  }

  @Test
  void tasks_that_also_fail_on_a_good_worker_are_not_the_fault_of_the_first() {
    for (int i = 0; i < 10; i++) {
      attempt(1, i, State.FAILED, 10);
      attempt(2, i, State.FAILED, 10);
    }
    tasks = 100;
    attempts(2, 20, State.WELL, 500);
    attempts(3, 20, State.WELL, 500);
    assertThat(find()).isEmpty();

    for (int i = 0; i < 6; i++) {
      attempt(3, i, State.WELL, 500);
    }
    assertThat(find()).containsExactly(new Finding(id(1), 10, 10, 2));
  }

  @Test
  void two_bad_workers_do_not_excuse_each_other() {
    for (int i = 0; i < 10; i++) {
      attempt(1, i, State.FAILED, 10);
      attempt(2, i, State.FAILED, 10);
    }
    tasks = 100;
    for (int good = 3; good <= 5; good++) {
      attempts(good, 1, State.RUNNING, 1_000);
    }

    assertThat(find()).extracting(Finding::worker).containsExactly(id(1), id(2));
  }

  @Test
  void what_fails_late_or_seldom_is_not_set_aside() {
    attempts(1, 20, State.FAILED, 10_001);
    attempts(2, 15, State.FAILED, 10);
    attempts(2, 5, State.WELL, 10);
    attempts(3, 20, State.WELL, 500);

    assertThat(find()).isEmpty();
  }

  @Test
  void other_work_and_work_of_before_is_no_evidence() {
    attempts(1, 10, State.FAILED, 10);
    samples.add(sample(2, 1_000, QUEUE + 1, State.WELL, NOW, 500));
    samples.add(sample(2, 1_001, QUEUE, State.RUNNING, NOW.minusSeconds(11), 11_000));
    assertThat(find()).isEmpty();

    samples.add(sample(2, 1_002, QUEUE, State.RUNNING, NOW.minusSeconds(9), 9_000));
    assertThat(find()).hasSize(1);
  }

  @Test
  void settings_are_checked() {
    assertThatThrownBy(() -> new Settings(Duration.ofSeconds(1), 1, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private List<Finding> find() {
    return FailingWorkers.find(samples, Settings.DEFAULT);
  }

  private void attempts(int worker, int count, State state, int millis) {
    for (int i = 0; i < count; i++) {
      attempt(worker, tasks++, state, millis);
    }
  }

  private void attempt(int worker, int task, State state, int millis) {
    samples.add(sample(worker, task, QUEUE, state, NOW, millis));
  }

  private static Sample sample(
      int worker, int task, long queue, State state, Instant startedAt, int millis) {
    return new Sample(
        id(worker),
        new TaskId(new UUID(9, task)),
        queue,
        state,
        startedAt,
        Duration.ofMillis(millis));
  }
}
