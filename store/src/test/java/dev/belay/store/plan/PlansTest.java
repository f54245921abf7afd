package dev.belay.store.plan;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Plan;
import dev.belay.domain.plan.Plan.Creation;
import dev.belay.domain.plan.Plan.Move;
import dev.belay.domain.plan.Plan.Ready;
import dev.belay.domain.plan.Plan.RunMove;
import dev.belay.domain.run.RunState;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.plan.Plans.Applied;
import dev.belay.engine.plan.Plans.PlannedRun;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.PlanReads.Mark;
import dev.belay.engine.port.PlanReads.StoredRun;
import dev.belay.engine.steer.Cancel;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlansTest {

  private static final Ready READY =
      new Ready(
          new Work(List.of("true"), null, Map.of("A", "b"), RETRIES),
          QueueOf.alone("default", "default", RETRIES),
          Map.of("team", "x"));
  private static final RunMove SUCCESS =
      new RunMove(RunState.RUNNING, RunState.SUCCEEDED, "completed");

  private final LiveStore store = new LiveStore();
  private RunId run = store.trigger();

  @BeforeEach
  void queued() {
    store.clear();
    run = store.trigger();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void first_plan_creates_the_tasks_and_starts_the_run() {
    assertThat(view().view().state()).isEqualTo(RunState.QUEUED);
    assertThat(store.plans.readSpec(view().workflow())).isEqualTo("{}");
    start();
    var stored = view().view();
    assertThat(stored.state()).isEqualTo(RunState.RUNNING);
    assertThat(stored.tasks().keySet()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(store.task(task("a"))).isEqualTo("SCHEDULED ready");
    assertThat(store.task(task("b"))).isEqualTo("WAITING created");
    assertThat(store.task(task("c"), "state || ' ' || (ended_at IS NOT NULL)"))
        .isEqualTo("SKIPPED true");
    assertThat(store.rows().text("SELECT work -> 'env' ->> 'A' FROM task_payload")).isEqualTo("b");
    assertThat(store.rows().text("SELECT labels ->> 'team' FROM task_payload")).isEqualTo("x");
    assertThat(
            store
                .rows()
                .text(
                    "SELECT from_state || ' ' || to_state FROM run_history ORDER BY id DESC LIMIT"
                        + " 1"))
        .isEqualTo("QUEUED RUNNING");
    assertThat(store.path(task("a"))).isEqualTo("SCHEDULED");
    assertThat(store.plans.readMarks(10)).isEmpty();
  }

  @Test
  void strictness_and_deadline_of_each_task_are_in_its_row() {
    var strict =
        new RunPolicy(
            RETRIES.retry(),
            Map.of(),
            null,
            new RunPolicy.WorkerLoss(RunPolicy.OnWorkerLost.RETRY, RunPolicy.Fencing.STRICT));
    var creations =
        List.of(
            new Creation(spec("plain"), TaskState.WAITING, "created", null),
            new Creation(
                spec("both", strict, Duration.ofHours(2)), TaskState.SCHEDULED, "ready", READY),
            new Creation(
                spec("due", RETRIES, Duration.ofDays(3650)), TaskState.WAITING, "created", null));
    apply(plan(view(), creations, List.of(), List.of(), null));
    assertThat(store.task(task("plain"), "concat_ws(' ', strict, deadline_at)")).isEqualTo("f");
    assertThat(store.task(task("both"), "concat_ws(' ', strict, deadline_at - created_at)"))
        .isEqualTo("t 02:00:00");
    assertThat(store.task(task("due"), "concat_ws(' ', strict, deadline_at - created_at)"))
        .isEqualTo("f 3650 days");
  }

  @Test
  void deadline_of_a_task_that_comes_later_counts_from_the_start_of_its_run() {
    start();
    store.rows().run("UPDATE run SET started_at = belay_now() - interval '1 hour'");
    var late =
        new Creation(
            spec("late", RETRIES, Duration.ofHours(2)), TaskState.WAITING, "created", null);
    apply(plan(view(), List.of(late), List.of(), List.of(), null));
    assertThat(
            store.task(
                task("late"), "deadline_at - (SELECT started_at FROM run WHERE id = task.run_id)"))
        .isEqualTo("02:00:00");
  }

  /** The commit succeeded but its answer was lost, or an old view is planned again. */
  @Test
  void tasks_are_created_once() {
    var before = view();
    start();
    var first = task("a");
    apply(plan(before, creations(), List.of(), List.of(), null));
    assertThat(task("a")).isEqualTo(first);
    assertThat(store.rows().count("task")).isEqualTo(3);
    assertThat(store.rows().count("task_payload")).isEqualTo(1);
    assertThat(store.rows().count("history")).isEqualTo(3);
    assertThat(store.rows().count("run_history")).isEqualTo(2);
  }

  @Test
  void move_writes_state_payload_and_history() {
    start();
    var applied = apply(moving(view(), move("b", TaskState.WAITING, TaskState.SCHEDULED, READY)));
    assertThat(applied.lostMoves()).isZero();
    assertThat(store.path(task("b"))).isEqualTo("WAITING SCHEDULED");
    assertThat(store.rows().count("task_payload")).isEqualTo(2);
  }

  @Test
  void move_of_a_task_that_left_its_state_is_not_made_and_marks_the_run_again() {
    start();
    var planned =
        moving(
            view(),
            move("a", TaskState.SCHEDULED, TaskState.CANCELLED, null),
            move("b", TaskState.WAITING, TaskState.SCHEDULED, READY));
    store.claim(store.newWorker(), task("a"));
    var applied = apply(planned);
    assertThat(applied.lostMoves()).isEqualTo(1);
    assertThat(store.task(task("a"))).isEqualTo("DISPATCHED claimed");
    assertThat(store.task(task("b"))).startsWith("SCHEDULED");
    assertThat(store.plans.readMarks(10)).extracting(Mark::run).containsExactly(run);
  }

  @Test
  void move_behind_a_claim_is_lost_and_the_run_is_planned_again() {
    start();
    var worker = store.newWorker();
    var planned = moving(view(), move("a", TaskState.SCHEDULED, TaskState.CANCELLED, null));
    try (var race = holding("task", task("a"))) {
      var claim = race.next(() -> store.claim(worker, task("a")));
      var plan = race.next(() -> apply(planned));
      race.release();
      result(claim);
      assertThat(result(plan).lostMoves()).isEqualTo(1);
    }
    assertThat(store.path(task("a"))).isEqualTo("SCHEDULED DISPATCHED");
    assertThat(store.plans.readMarks(10)).hasSize(1);
  }

  /** Marks, not flags: a change during planning is not in the plan. */
  @Test
  void mark_that_comes_during_a_plan_survives_it() {
    start();
    store.steering.cancelRun(run, "me");
    var read = marks();
    var planned = plan(view(), List.of(), List.of(), List.of(), null);
    store.steering.cancelTask(task("b"), "me");
    store.planWriter.apply(store.epoch(), List.of(planned), read);
    assertThat(store.plans.readMarks(10)).hasSize(1);
    assertThat(marks()).doesNotContainAnyElementsOf(read);
  }

  @Test
  void mark_that_commits_while_the_plan_commits_survives_it() {
    start();
    store.steering.cancelRun(run, "me");
    var read = marks();
    var planned = moving(view(), move("b", TaskState.WAITING, TaskState.CANCELLED, null));
    try (var race = holding("task", task("b"))) {
      var plan = race.next(() -> store.planWriter.apply(store.epoch(), List.of(planned), read));
      store.steering.cancelTask(task("a"), "me");
      race.release();
      result(plan);
    }
    assertThat(store.plans.readMarks(10)).hasSize(1);
  }

  @Test
  void marks_are_read_oldest_first_and_postponed_behind_all_others() {
    var second = store.trigger();
    assertThat(store.plans.readMarks(1)).extracting(Mark::run).containsExactly(run);
    store.planWriter.postpone(
        store.epoch(), store.plans.readMarks(1).stream().map(Mark::id).toList());
    assertThat(store.plans.readMarks(10)).extracting(Mark::run).containsExactly(second, run);
    assertThatThrownBy(() -> store.planWriter.postpone(past(), marks()))
        .isInstanceOf(Deposed.class);
    assertThat(store.plans.readMarks(10)).extracting(Mark::run).containsExactly(second, run);
  }

  @Test
  void run_ends_when_nothing_is_open() {
    start();
    store.steering.cancelTask(task("a"), "me");
    store.steering.cancelTask(task("b"), "me");
    var end = new RunMove(RunState.RUNNING, RunState.FAILED, "task b CANCELLED");
    assertThat(apply(plan(view(), List.of(), List.of(), List.of(), end)).ended())
        .containsExactly(Map.entry(run, RunState.FAILED));
    assertThat(runState()).isEqualTo("FAILED task b CANCELLED t");
    assertThat(store.rows().text("SELECT to_state FROM run_history ORDER BY id DESC LIMIT 1"))
        .isEqualTo("FAILED");
  }

  @Test
  void run_with_an_open_task_does_not_end() {
    start();
    var applied = apply(plan(view(), List.of(), List.of(), List.of(), SUCCESS));
    assertThat(applied.ended()).isEmpty();
    assertThat(runState()).startsWith("RUNNING");
    assertThat(store.rows().count("run_history")).isEqualTo(2);
  }

  /** The plan saw no open task, but while it waits for the run, the lock's holder reopens one. */
  @Test
  void end_is_checked_again_under_the_lock_of_the_run() {
    start();
    store.steering.cancelTask(task("a"), "me");
    store.steering.cancelTask(task("b"), "me");
    var planned = plan(view(), List.of(), List.of(), List.of(), SUCCESS);
    var reopen =
        "UPDATE task SET state = 'PENDING', ended_at = NULL WHERE id = '" + task("b") + "'";
    try (var race =
        new Race(
            store.rows(), reopen + "; SELECT 1 FROM run WHERE id = '" + run + "' FOR UPDATE")) {
      var plan = race.next(() -> apply(planned));
      race.release();
      assertThat(result(plan).ended()).isEmpty();
    }
    assertThat(runState()).startsWith("RUNNING");
  }

  /**
   * The plan computed the run's outcome with a task that moved meanwhile: a leaf was cancelled, not
   * skipped.
   */
  @Test
  void run_does_not_end_by_a_plan_that_lost_a_move() {
    start();
    store.steering.cancelTask(task("a"), "me");
    var move = move("b", TaskState.WAITING, TaskState.SKIPPED, null);
    var planned = plan(view(), List.of(), List.of(move), List.of(), SUCCESS);
    store.steering.cancelTask(task("b"), "me");
    assertThat(apply(planned).ended()).isEmpty();
    assertThat(runState()).startsWith("RUNNING");
    assertThat(store.plans.readMarks(10)).isNotEmpty();
  }

  @Test
  void abort_asks_the_worker_once_and_the_first_reason_stays() {
    start();
    var worker = store.newWorker();
    var dispatch = store.claim(worker, task("a"));
    var planned = plan(view(), List.of(), List.of(), List.of(task("a")), null);
    assertThat(apply(planned).toAbort()).containsExactly(worker.worker());
    assertThat(store.attempt(dispatch, "abort_reason")).isEqualTo("cancelled");
    store.rows().run("UPDATE task SET abort_reason = 'hard_cap_exceeded'");
    apply(planned);
    assertThat(store.attempt(dispatch, "abort_reason")).isEqualTo("hard_cap_exceeded");
    assertThat(store.plans.readMarks(10)).isEmpty();
  }

  /** Otherwise a cancelled run would retry its task, and nothing would look at the run again. */
  @Test
  void abort_behind_an_error_marks_the_run_again() {
    start();
    var worker = store.newWorker();
    var dispatch = store.claim(worker, task("a"));
    var planned = plan(view(), List.of(), List.of(), List.of(task("a")), null);
    try (var race = holding("task", task("a"))) {
      var error = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 1))));
      var plan = race.next(() -> apply(planned));
      race.release();
      result(error);
      assertThat(result(plan).toAbort()).isEmpty();
    }
    assertThat(store.task(task("a"))).isEqualTo("PENDING exit_code: 1");
    assertThat(store.plans.readMarks(10)).extracting(Mark::run).containsExactly(run);
  }

  @Test
  void error_behind_an_abort_is_not_tried_again() {
    start();
    var worker = store.newWorker();
    var dispatch = store.claim(worker, task("a"));
    var planned = plan(view(), List.of(), List.of(), List.of(task("a")), null);
    try (var race = holding("task", task("a"))) {
      var plan = race.next(() -> apply(planned));
      var error = race.next(() -> store.results.write(List.of(store.exited(worker, dispatch, 1))));
      race.release();
      assertThat(result(plan).toAbort()).containsExactly(worker.worker());
      result(error);
    }
    assertThat(store.task(task("a"))).isEqualTo("CANCELLED cancelled");
  }

  @Test
  void cancelled_run_that_is_over_says_so() {
    start();
    assertThat(store.steering.cancelRun(run, "me")).isEqualTo(new Cancel.Asked());
    assertThat(view().view().ending()).isEqualTo(AbortReason.CANCELLED);
    apply(
        moving(
            view(),
            move("a", TaskState.SCHEDULED, TaskState.CANCELLED, null),
            move("b", TaskState.WAITING, TaskState.CANCELLED, null)));
    var end = new RunMove(RunState.RUNNING, RunState.CANCELLED, "cancelled");
    apply(plan(view(), List.of(), List.of(), List.of(), end));
    assertThat(store.steering.cancelRun(run, "me"))
        .isEqualTo(new Cancel.AlreadyOver(RunState.CANCELLED));
  }

  @Test
  void nothing_of_a_deposed_leaders_plan_is_stored() {
    var planned = plan(view(), creations(), List.of(), List.of(), null);
    assertThatThrownBy(() -> store.planWriter.apply(past(), List.of(planned), marks()))
        .isInstanceOf(Deposed.class);
    assertThat(store.rows().count("task")).isZero();
    assertThat(view().view().state()).isEqualTo(RunState.QUEUED);
    assertThat(store.plans.readMarks(10)).hasSize(1);
  }

  private Epoch past() {
    return new Epoch(store.epoch().value() - 1);
  }

  /** Task a is SCHEDULED, b waits, c is skipped. */
  private void start() {
    apply(plan(view(), creations(), List.of(), List.of(), null));
  }

  private static List<Creation> creations() {
    return List.of(
        new Creation(spec("a"), TaskState.SCHEDULED, "ready", READY),
        new Creation(spec("b"), TaskState.WAITING, "created", null),
        new Creation(spec("c"), TaskState.SKIPPED, "when_false", null));
  }

  private static TaskSpec spec(String name) {
    return spec(name, RunPolicy.DEFAULT, null);
  }

  private static TaskSpec spec(String name, RunPolicy policy, @Nullable Duration deadline) {
    return new TaskSpec(
        name,
        new Action.Script("true"),
        List.of(),
        TriggerRule.ALL_SUCCESS,
        null,
        Map.of(),
        policy,
        50,
        LiveStore.POOL,
        Map.of(),
        deadline);
  }

  private StoredRun view() {
    return store.plans.readRuns(List.of(run)).getFirst();
  }

  private TaskId task(String name) {
    return Objects.requireNonNull(view().view().tasks().get(name)).id();
  }

  private Move move(String name, TaskState from, TaskState to, @Nullable Ready ready) {
    return new Move(task(name), 1, from, to, "test", ready);
  }

  private PlannedRun moving(StoredRun stored, Move... moves) {
    return plan(stored, List.of(), List.of(moves), List.of(), null);
  }

  private PlannedRun plan(
      StoredRun stored,
      List<Creation> creations,
      List<Move> moves,
      List<TaskId> aborts,
      @Nullable RunMove end) {
    var newTasks =
        Stream.generate(() -> new TaskId(store.ids().next())).limit(creations.size()).toList();
    return new PlannedRun(
        stored, new Plan(creations, List.of(), moves, aborts, null, end), newTasks);
  }

  private Applied apply(PlannedRun planned) {
    return store.planWriter.apply(store.epoch(), List.of(planned), marks());
  }

  private List<Long> marks() {
    return store.plans.readMarks(100).stream().map(Mark::id).toList();
  }

  private String runState() {
    return store
        .rows()
        .text(
            "SELECT concat_ws(' ', state, reason, ended_at IS NOT NULL) FROM run WHERE id = '"
                + run
                + "'");
  }

  private Race holding(String table, Object id) {
    return new Race(store.rows(), "SELECT 1 FROM " + table + " WHERE id = '" + id + "' FOR UPDATE");
  }
}
