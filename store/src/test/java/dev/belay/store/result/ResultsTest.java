package dev.belay.store.result;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.session.gateway.WorkerEvent.Execution;
import dev.belay.store.fixture.LiveStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResultsTest {

  private static final Outcome SUCCESS = new Outcome.Exited(0, 0);

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
  void start_is_written_on_task_attempt_and_history() {
    assertThat(answers(store.started(worker, dispatch))).containsExactly(Answer.APPLIED);
    assertThat(store.task(task)).isEqualTo("RUNNING started");
    assertThat(store.task(task, "started_at >= dispatched_at AND ended_at IS NULL"))
        .isEqualTo("true");
    assertThat(store.attempt(dispatch, "started_at IS NOT NULL AND ended_at IS NULL"))
        .isEqualTo("true");
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING");
    assertThat(answers(store.started(worker, dispatch))).containsExactly(Answer.DUPLICATE);
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING");
  }

  @Test
  void success_ends_task_and_attempt_and_marks_the_run() {
    intoRun();
    answers(store.started(worker, dispatch));
    var outcome = store.results.write(List.of(store.exited(worker, dispatch, 0)));
    assertThat(outcome.effects().tasksEnded()).isEqualTo(Map.of(TaskState.SUCCEEDED, 1));
    assertThat(outcome.runsChanged()).isTrue();
    assertThat(outcome.workReady()).isTrue();
    assertThat(store.task(task)).isEqualTo("SUCCEEDED exit_code: 0");
    assertThat(store.task(task, "ended_at IS NOT NULL AND not_before IS NULL")).isEqualTo("true");
    assertThat(store.attempt(dispatch, "end_reason || ' ' || exit_code || ' ' || detail"))
        .isEqualTo("exit_code: 0 0 d");
    assertThat(store.attempt(dispatch, "started_at >= dispatched_at AND ended_at >= started_at"))
        .isEqualTo("true");
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING SUCCEEDED");
    assertThat(store.rows().count("mark")).isEqualTo(1);
  }

  @Test
  void start_and_end_in_one_batch_are_one_write_and_two_history_rows() {
    assertThat(answers(store.started(worker, dispatch), store.exited(worker, dispatch, 0)))
        .containsExactly(Answer.APPLIED, Answer.APPLIED);
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING SUCCEEDED");
    assertThat(store.task(task, "ended_at >= started_at AND started_at >= dispatched_at"))
        .isEqualTo("true");
  }

  @Test
  void end_that_is_named_twice_is_written_once() {
    assertThat(answers(store.exited(worker, dispatch, 1), store.exited(worker, dispatch, 1)))
        .containsExactly(Answer.APPLIED, Answer.APPLIED);
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING PENDING");
    assertThat(store.task(task, "error_count")).isEqualTo("1");
  }

  @Test
  void outcome_wins_over_a_loss_in_the_same_batch() {
    assertThat(answers(store.lost(worker, dispatch), store.exited(worker, dispatch, 0)))
        .containsExactly(Answer.APPLIED, Answer.APPLIED);
    assertThat(store.task(task)).isEqualTo("SUCCEEDED exit_code: 0");
    assertThat(store.task(task, "lost_count")).isEqualTo("0");
  }

  @Test
  void start_of_what_runs_is_a_duplicate_and_start_of_what_is_over_is_void() {
    assertThat(answers(store.started(worker, dispatch))).containsExactly(Answer.APPLIED);
    assertThat(answers(store.started(worker, dispatch))).containsExactly(Answer.DUPLICATE);
    assertThat(answers(store.lost(worker, dispatch))).containsExactly(Answer.APPLIED);
    assertThat(answers(store.started(worker, dispatch))).containsExactly(Answer.VOID);
    assertThat(store.task(task)).startsWith("PENDING");
  }

  /** The commit succeeded, but its answer was lost. */
  @Test
  void batch_that_is_given_again_changes_nothing() {
    var batch =
        new WorkerEvent[] {store.started(worker, dispatch), store.exited(worker, dispatch, 0)};
    answers(batch);
    var before = everything();
    assertThat(answers(batch)).containsExactly(Answer.DUPLICATE, Answer.DUPLICATE);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void error_is_tried_again_after_its_backoff_and_then_fails() {
    intoRun();
    answers(store.exited(worker, dispatch, 3));
    assertThat(store.task(task)).isEqualTo("PENDING exit_code: 3");
    assertThat(store.task(task, "not_before = state_since + interval '10 s' AND error_count = 1"))
        .isEqualTo("true");
    assertThat(store.attempt(dispatch, "end_reason")).isEqualTo("exit_code: 3");
    assertThat(store.rows().count("mark")).isZero();
    var second = again();
    answers(store.exited(worker, second, 3));
    assertThat(store.task(task)).isEqualTo("FAILED exit_code: 3");
    assertThat(store.attempt(second, "number")).isEqualTo("2");
    assertThat(store.rows().count("mark")).isEqualTo(1);
  }

  @Test
  void loss_is_tried_again_at_once_and_counted_apart() {
    answers(store.lost(worker, dispatch));
    assertThat(store.task(task)).isEqualTo("PENDING agent_restarted");
    assertThat(store.task(task, "lost_count || ' ' || error_count")).isEqualTo("1 0");
    assertThat(store.task(task, "not_before = state_since")).isEqualTo("true");
    assertThat(store.attempt(dispatch, "started_at IS NULL AND end_reason = 'agent_restarted'"))
        .isEqualTo("true");
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED PENDING");
    answers(store.lost(worker, again()));
    assertThat(store.task(task)).isEqualTo("FAILED agent_restarted");
  }

  @Test
  void what_is_unavailable_is_counted_apart_and_blocked_at_last() {
    var unavailable =
        new RunPolicy(
            new RetryPolicy(0, RetryPolicy.Backoff.DEFAULT, 0, 0, 1, null),
            Map.of(75, RunPolicy.ExitMeaning.UNAVAILABLE),
            null);
    task = store.submit(unavailable);
    dispatch = store.claim(worker, task);
    answers(ended(new Outcome.Exited(75, 0)));
    assertThat(store.task(task)).isEqualTo("PENDING unavailable: exit_code 75");
    assertThat(
            store.task(
                task, "concat_ws(' ', unavailable_count, crash_count, error_count, lost_count)"))
        .isEqualTo("1 0 0 0");
    assertThat(store.task(task, "not_before = state_since + interval '2 min'")).isEqualTo("true");
    dispatch = again();
    answers(ended(new Outcome.Exited(75, 0)));
    assertThat(store.task(task)).isEqualTo("BLOCKED unavailable: exit_code 75");
    assertThat(store.task(task, "concat_ws(' ', unavailable_count, not_before, ended_at)"))
        .isEqualTo("1");
    assertThat(store.attempt(dispatch, "exit_code || ' ' || end_reason"))
        .isEqualTo("75 unavailable: exit_code 75");
    assertThat(store.path(task)).endsWith("RUNNING BLOCKED");
  }

  @Test
  void signal_is_kept() {
    answers(ended(new Outcome.Exited(137, 9)));
    assertThat(store.task(task)).isEqualTo("PENDING signal: SIGKILL");
    assertThat(store.task(task, "concat_ws(' ', crash_count, error_count, lost_count)"))
        .isEqualTo("1 0 0");
    assertThat(store.task(task, "not_before = state_since + interval '1 min'")).isEqualTo("true");
    assertThat(store.attempt(dispatch, "exit_code || ' ' || signal")).isEqualTo("137 9");
  }

  @Test
  void end_of_a_task_whose_work_cannot_be_read_is_judged_by_default_and_stops_no_other() {
    store.rows().run("UPDATE task_payload SET work = '{\"argv\": 5}'");
    var other = store.submit(RETRIES);
    var second = store.claim(worker, other);
    assertThat(answers(store.exited(worker, dispatch, 1), store.exited(worker, second, 1)))
        .containsExactly(Answer.APPLIED, Answer.APPLIED);
    assertThat(store.task(task)).isEqualTo("FAILED exit_code: 1");
    assertThat(store.task(other)).isEqualTo("PENDING exit_code: 1");
  }

  @Test
  void timeout_ends_a_task_without_tries_as_timeout() {
    use(RunPolicy.DEFAULT);
    answers(ended(new Outcome.TimedOut(Duration.ofMillis(50))));
    assertThat(store.task(task)).isEqualTo("TIMEOUT execution_timeout: ran longer than 50 ms");
  }

  @Test
  void stall_uses_the_retries_of_errors_and_then_ends_as_timeout() {
    use(RunPolicy.DEFAULT);
    answers(ended(new Outcome.Stalled(Duration.ofSeconds(5))));
    assertThat(store.task(task)).isEqualTo("TIMEOUT stalled: no output for 5000 ms");
  }

  @Test
  void exit_code_99_means_skipped() {
    answers(store.exited(worker, dispatch, 99));
    assertThat(store.task(task)).isEqualTo("SKIPPED exit_code: 99");
  }

  @Test
  void abort_that_was_asked_for_ends_as_cancelled() {
    store.steering.cancelTask(task, "me");
    answers(ended(new Outcome.Aborted("cancelled")));
    assertThat(store.task(task)).isEqualTo("CANCELLED cancelled");
  }

  @Test
  void refused_dispatch_is_scheduled_again_a_little_later() {
    answers(store.refused(worker, dispatch));
    assertThat(store.task(task)).isEqualTo("SCHEDULED refused: full");
    assertThat(store.task(task, "not_before = state_since + interval '500 ms'")).isEqualTo("true");
    assertThat(store.task(task, "error_count + lost_count")).isEqualTo("0");
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED SCHEDULED");
  }

  @Test
  void what_could_not_start_never_ran() {
    use(RunPolicy.DEFAULT);
    answers(
        store.ended(worker, dispatch, new Outcome.StartFailed("no such\0file"), Execution.UNKNOWN));
    assertThat(store.task(task)).isEqualTo("FAILED start_failed: no such file");
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED FAILED");
    assertThat(store.task(task, "started_at IS NULL")).isEqualTo("true");
    assertThat(store.attempt(dispatch, "started_at IS NULL")).isEqualTo("true");
  }

  /** A worker that forgot a start must not block all others with an illegal transition. */
  @Test
  void exit_code_without_a_start_time_counts() {
    answers(store.ended(worker, dispatch, SUCCESS, Execution.UNKNOWN));
    assertThat(store.task(task)).isEqualTo("SUCCEEDED exit_code: 0");
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING SUCCEEDED");
  }

  @Test
  void output_that_was_lost_is_noted_on_the_attempt_of_that_worker() {
    answers(store.ended(worker, dispatch, SUCCESS, new Execution(0, 0, "", 12_345)));
    assertThat(store.task(task)).isEqualTo("SUCCEEDED exit_code: 0");
    assertThat(store.attempt(dispatch, "output_lost")).isEqualTo("12345");
  }

  @Test
  void absurd_clock_of_a_worker_stops_nothing() {
    var year9999 = 253_402_300_799_999L;
    answers(store.ended(worker, dispatch, SUCCESS, new Execution(1, year9999, "", 0)));
    assertThat(store.task(task)).isEqualTo("SUCCEEDED exit_code: 0");
    assertThat(store.task(task, "started_at = dispatched_at")).isEqualTo("true");
  }

  @Test
  void late_success_counts_while_nothing_replaced_the_dispatch() {
    answers(store.lost(worker, dispatch));
    assertThat(answers(store.exited(worker, dispatch, 0))).containsExactly(Answer.APPLIED);
    assertThat(store.task(task)).isEqualTo("SUCCEEDED late_success");
    assertThat(store.task(task, "not_before IS NULL AND ended_at IS NOT NULL")).isEqualTo("true");
    assertThat(store.attempt(dispatch, "end_reason || ', ' || late_outcome"))
        .isEqualTo("agent_restarted, exit_code: 0");
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED PENDING SUCCEEDED");
  }

  @Test
  void late_success_counts_while_scheduled() {
    answers(store.lost(worker, dispatch));
    store.due.promote(store.epoch(), 10);
    assertThat(store.task(task)).startsWith("SCHEDULED");
    assertThat(answers(store.exited(worker, dispatch, 0))).containsExactly(Answer.APPLIED);
    assertThat(store.task(task)).isEqualTo("SUCCEEDED late_success");
  }

  @Test
  void late_failure_is_only_noted() {
    answers(store.lost(worker, dispatch));
    var before = everything();
    assertThat(answers(store.exited(worker, dispatch, 7))).containsExactly(Answer.DUPLICATE);
    assertThat(everything()).isEqualTo(before);
    assertThat(store.attempt(dispatch, "late_outcome")).contains("7");
  }

  @Test
  void superseded_dispatch_is_void() {
    answers(store.lost(worker, dispatch));
    again();
    var before = everything();
    assertThat(answers(store.exited(worker, dispatch, 0))).containsExactly(Answer.VOID);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void report_of_another_session_or_worker_or_on_an_unknown_dispatch_is_void() {
    var before = everything();
    var otherSession = new Peer(worker.worker(), new SessionId(store.ids().next()), 1);
    var otherWorker = store.newWorker();
    assertThat(
            answers(
                store.exited(otherSession, dispatch, 0),
                store.exited(otherWorker, dispatch, 0),
                store.exited(worker, new DispatchId(store.ids().next()), 0)))
        .containsOnly(Answer.VOID);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void stranger_in_the_same_batch_neither_speaks_for_the_worker_nor_silences_it() {
    var stranger = store.newWorker();
    assertThat(answers(store.exited(stranger, dispatch, 0), store.started(worker, dispatch)))
        .containsExactly(Answer.VOID, Answer.APPLIED);
    assertThat(store.task(task)).isEqualTo("RUNNING started");
    assertThat(answers(store.exited(worker, dispatch, 1), store.exited(stranger, dispatch, 0)))
        .containsExactly(Answer.APPLIED, Answer.VOID);
    assertThat(store.task(task)).isEqualTo("PENDING exit_code: 1");
  }

  @Test
  void answers_come_in_the_order_of_the_events() {
    var other = store.submit(RETRIES);
    var second = store.claim(worker, other);
    assertThat(
            answers(
                store.exited(worker, new DispatchId(store.ids().next()), 0),
                store.exited(worker, second, 0),
                store.started(worker, dispatch)))
        .containsExactly(Answer.VOID, Answer.APPLIED, Answer.APPLIED);
    assertThat(store.task(other)).startsWith("SUCCEEDED");
    assertThat(store.task(task)).startsWith("RUNNING");
  }

  private List<Answer> answers(WorkerEvent... events) {
    var settlements = store.results.write(List.of(events)).settlements();
    assertThat(settlements).extracting(Settlement::event).containsExactly(events);
    return settlements.stream().map(Settlement::answer).toList();
  }

  private WorkerEvent ended(Outcome outcome) {
    return store.ended(worker, dispatch, outcome, new Execution(1_000, 2_000, "", 0));
  }

  private void use(RunPolicy policy) {
    task = store.submit(policy);
    dispatch = store.claim(worker, task);
  }

  /** The next attempt of the task. */
  private DispatchId again() {
    store.rows().run("UPDATE task SET not_before = belay_now() WHERE state = 'PENDING'");
    store.due.promote(store.epoch(), 10);
    return store.claim(worker, task);
  }

  private void intoRun() {
    var run = store.rows().openRun();
    store.rows().run("UPDATE task SET run_id = '" + run + "' WHERE id = '" + task + "'");
  }

  /** Every row that a result may change, except notes on attempts. */
  private String everything() {
    return store
        .rows()
        .text(
            """
            SELECT (to_jsonb(task) - 'late_outcome')::text FROM task
            UNION ALL SELECT history::text FROM history
            UNION ALL SELECT mark::text FROM mark
            UNION ALL SELECT (dispatch_id, session_id, started_at, ended_at, end_reason)::text FROM attempt
            ORDER BY 1\
            """);
  }
}
