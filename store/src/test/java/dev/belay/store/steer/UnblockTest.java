package dev.belay.store.steer;

import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.steer.RunRetry;
import dev.belay.engine.steer.Terminate;
import dev.belay.engine.steer.Unblock;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.fixture.Race;
import dev.belay.store.reap.PostgresReap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnblockTest {

  private static final String FILE =
      """
      name: w
      tasks:
        - name: a
          command: [x]
          exit_codes: {75: unavailable}
          retry: {on: {unavailable: {max: 0}}}
        - {name: b, command: [x], depends_on: [a]}
      """;

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);

  @BeforeEach
  void clear() {
    store.clear();
    store.rows().worker();
    store.rows().hinted().clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @ParameterizedTest
  @EnumSource(TaskState.class)
  void only_a_blocked_task_is_unblocked(TaskState state) {
    var task = new TaskId(store.rows().task(state, null));
    var answer = store.steering.unblockTask(task, "", "ann");
    if (state != TaskState.BLOCKED) {
      assertThat(answer).isEqualTo(new Unblock.Refused(state));
      assertThat(store.task(task)).isEqualTo(state + " test");
      assertThat(store.rows().hinted()).isEmpty();
      return;
    }
    assertThat(answer).isEqualTo(new Unblock.Done());
    assertThat(store.task(task)).isEqualTo("PENDING unblocked");
    assertThat(store.rows().hinted()).containsExactly("runChanged");
    assertThat(store.due.promote(store.epoch(), 10).count()).isEqualTo(1);
    assertThat(store.task(task)).isEqualTo("SCHEDULED due");
  }

  @Test
  void unknown_task_is_not_found() {
    assertThat(store.steering.unblockTask(new TaskId(store.ids().next()), "", "ann"))
        .isEqualTo(new Unblock.NotFound());
  }

  @Test
  void the_history_has_who_and_why_and_the_retries_begin_anew() {
    var task = blocked();
    store
        .rows()
        .run(
            "UPDATE task SET unavailable_count = 5, error_count = 2, lost_count = 1, crash_count ="
                + " 3");
    store.steering.unblockTask(task, "the API is back", "ann");
    assertThat(
            store.task(
                task, "concat_ws(' ', unavailable_count, error_count, lost_count, crash_count)"))
        .isEqualTo("0 2 1 3");
    assertThat(
            store
                .rows()
                .text(
                    "SELECT concat_ws(' ', from_state, to_state, reason, actor) FROM history WHERE"
                        + " task_id = '%s' ORDER BY id DESC LIMIT 1".formatted(task)))
        .isEqualTo("BLOCKED PENDING unblocked: the API is back ann");
  }

  /** Neither the planner nor the orphan rule ends a run that waits for a person. */
  @Test
  void blocked_task_keeps_its_run_open_until_it_is_resumed() {
    planning.register(FILE);
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    planning.finish(run, "a", 75);
    planning.plan();
    var a = planning.task(run, "a");
    assertThat(store.task(a)).isEqualTo("BLOCKED unavailable: exit_code 75");
    assertThat(planning.state(run)).isEqualTo("RUNNING");
    store
        .rows()
        .run(
            "UPDATE task SET state_since = state_since - interval '100 days'; UPDATE run SET"
                + " started_at = started_at - interval '100 days'");
    assertThat(new PostgresReap(store.jdbi(), ReapSettings.DEFAULT).readOrphans(null, 10))
        .isEmpty();
    assertThat(store.steering.retryRun(run, "ann")).isInstanceOf(RunRetry.Refused.class);
    assertThat(store.steering.unblockTask(a, "", "ann")).isEqualTo(new Unblock.Done());
    store.due.promote(store.epoch(), 10);
    planning.finish(run, "a", 0);
    planning.plan();
    planning.finish(run, "b", 0);
    planning.plan();
    assertThat(planning.state(run)).startsWith("SUCCEEDED");
  }

  @Test
  void of_two_who_unblock_at_once_one_wins_and_the_other_is_told() {
    var task = blocked();
    try (var race = new Race(store.rows(), "SELECT 1 FROM task FOR UPDATE")) {
      var first = race.next(() -> store.steering.unblockTask(task, "", "ann"));
      var second = race.next(() -> store.steering.unblockTask(task, "", "bob"));
      race.release();
      assertThat(List.of(result(first), result(second)))
          .containsExactly(new Unblock.Done(), new Unblock.Refused(TaskState.PENDING));
    }
    assertThat(store.rows().count("history WHERE to_state = 'PENDING'")).isEqualTo(1);
  }

  @Test
  void unblock_behind_a_cancel_is_refused_and_a_cancel_behind_it_wins() {
    var task = blocked();
    try (var race = new Race(store.rows(), "SELECT 1 FROM task FOR UPDATE")) {
      var cancel = race.next(() -> store.steering.cancelTask(task, "bob"));
      var unblock = race.next(() -> store.steering.unblockTask(task, "", "ann"));
      race.release();
      assertThat(result(cancel)).isEqualTo(new Terminate.Done(TaskState.CANCELLED));
      assertThat(result(unblock)).isEqualTo(new Unblock.Refused(TaskState.CANCELLED));
    }
    var other = blocked();
    try (var race =
        new Race(store.rows(), "SELECT 1 FROM task WHERE id = '" + other + "' FOR UPDATE")) {
      var unblock = race.next(() -> store.steering.unblockTask(other, "", "ann"));
      var cancel = race.next(() -> store.steering.cancelTask(other, "bob"));
      race.release();
      assertThat(result(unblock)).isEqualTo(new Unblock.Done());
      assertThat(result(cancel)).isEqualTo(new Terminate.Done(TaskState.CANCELLED));
    }
    assertThat(store.task(other)).isEqualTo("CANCELLED cancelled");
    assertThat(store.path(other)).endsWith("PENDING CANCELLED");
  }

  /** The deadline skips a row that somebody holds, and comes again a second later. */
  @Test
  void deadline_ends_a_blocked_task_and_one_that_was_unblocked_too_late() {
    var reaps = store.reaps(ReapSettings.DEFAULT);
    var task = blocked();
    store.rows().run("UPDATE task SET deadline_at = belay_now()");
    assertThat(reaps.expireDeadlines(store.epoch(), 10).count()).isEqualTo(1);
    assertThat(store.task(task)).isEqualTo("TIMEOUT deadline_passed");
    assertThat(store.steering.unblockTask(task, "", "ann"))
        .isEqualTo(new Unblock.Refused(TaskState.TIMEOUT));
    var other = blocked();
    store.rows().run("UPDATE task SET deadline_at = belay_now() WHERE id = '" + other + "'");
    try (var race =
        new Race(store.rows(), "SELECT 1 FROM task WHERE id = '" + other + "' FOR UPDATE")) {
      var unblock = race.next(() -> store.steering.unblockTask(other, "", "ann"));
      assertThat(reaps.expireDeadlines(store.epoch(), 10).count()).isZero();
      race.release();
      assertThat(result(unblock)).isEqualTo(new Unblock.Done());
    }
    assertThat(reaps.expireDeadlines(store.epoch(), 10).count()).isEqualTo(1);
    assertThat(store.path(other)).endsWith("PENDING TIMEOUT");
  }

  private TaskId blocked() {
    return new TaskId(store.rows().task(TaskState.BLOCKED, null));
  }
}
