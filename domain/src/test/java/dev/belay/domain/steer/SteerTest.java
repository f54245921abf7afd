package dev.belay.domain.steer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.steer.Steer.Action;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SteerTest {

  @ParameterizedTest
  @EnumSource
  void every_way_that_a_person_opens_is_in_the_table_of_transitions(TaskState from) {
    for (var action :
        List.of(
            Steer.mark(from, TaskState.SUCCEEDED),
            Steer.mark(from, TaskState.FAILED),
            Steer.skip(from),
            Steer.block(from))) {
      switch (action) {
        case Action.Go(var through) -> {
          var at = from;
          for (var next : through) {
            assertThat(TaskTransitions.allows(at, next)).as("%s -> %s", at, next).isTrue();
            at = next;
          }
        }
        case Action.End(var reason) -> {
          assertThat(from.isActive()).isTrue();
          assertThat(TaskTransitions.allows(from, reason.leadsTo())).isTrue();
        }
        case Action.Nothing() -> {}
        case Action.No(var next) -> assertThat(next).isNotBlank();
      }
    }
  }

  @Test
  void task_that_runs_is_asked_to_end_for_its_mark_and_any_other_ends_at_once() {
    assertThat(Steer.mark(TaskState.RUNNING, TaskState.SUCCEEDED))
        .isEqualTo(new Action.End(AbortReason.MARKED_SUCCEEDED));
    assertThat(Steer.mark(TaskState.FAILED, TaskState.SUCCEEDED))
        .isEqualTo(new Action.Go(List.of(TaskState.PENDING, TaskState.SUCCEEDED)));
    assertThat(Steer.mark(TaskState.SCHEDULED, TaskState.FAILED))
        .isEqualTo(new Action.Go(List.of(TaskState.FAILED)));
    assertThat(Steer.mark(TaskState.FAILED, TaskState.FAILED)).isEqualTo(new Action.Nothing());
  }

  private static final Set<TaskState> OCCUPIED =
      EnumSet.of(
          TaskState.PENDING,
          TaskState.APPROVAL_REQUIRED,
          TaskState.SCHEDULED,
          TaskState.DISPATCHED,
          TaskState.RUNNING,
          TaskState.DEFERRED,
          TaskState.BLOCKED);

  @ParameterizedTest
  @EnumSource
  void clear_reopens_what_has_ended_and_refuses_what_is_under_way(TaskState state) {
    var task = task("a", state, true);
    boolean occupied = OCCUPIED.contains(state);
    assertThat(Reopening.inTheWay(List.of(task))).hasSize(occupied ? 1 : 0);
    var cleared = Reopening.clear(List.of(task), List.of(task));
    assertThat(cleared.ended()).hasSize(state.isTerminal() ? 1 : 0);
    assertThat(cleared.waiting()).hasSize(state == TaskState.WAITING ? 1 : 0);
  }

  @Test
  void retry_takes_along_what_was_decided_without_running() {
    var failed = task("a", TaskState.FAILED, true);
    var after =
        List.of(
            failed,
            task("b", TaskState.UPSTREAM_FAILED, false),
            task("c", TaskState.SKIPPED, false),
            task("skipped by a person", TaskState.SKIPPED, true),
            task("ran", TaskState.SUCCEEDED, true),
            task("waits", TaskState.WAITING, false));
    assertThat(Reopening.retry(failed, after).ended())
        .extracting(RunTask::name)
        .containsExactly("a", "b", "c");
    assertThat(Reopening.mark(failed, after).ended())
        .extracting(RunTask::name)
        .containsExactly("b", "c");
    assertThat(Reopening.mark(failed, after).waiting())
        .extracting(RunTask::name)
        .containsExactly("waits");
    var open = task("a", TaskState.WAITING, false);
    assertThat(Reopening.mark(open, after).ended()).isEmpty();
  }

  @Test
  void only_what_ended_without_success_is_retried() {
    assertThat(Reopening.isRetried(TaskState.FAILED, true)).isTrue();
    assertThat(Reopening.isRetried(TaskState.SUCCEEDED, true)).isFalse();
    assertThat(Reopening.isRetried(TaskState.SKIPPED, true)).isFalse();
    assertThat(Reopening.isRetried(TaskState.RUNNING, true)).isFalse();
  }

  private static RunTask task(String name, TaskState state, boolean settled) {
    return new RunTask(new TaskId(new UUID(0, name.hashCode())), name, state, 1, settled);
  }
}
