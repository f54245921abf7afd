package dev.belay.store.reap;

import static dev.belay.store.reap.Reapers.GRACIOUS;
import static dev.belay.store.reap.Reapers.RULES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.LivenessRule;
import dev.belay.domain.reap.LivenessVerdict;
import dev.belay.domain.reap.ReapContext;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.Fencing;
import dev.belay.domain.spec.RunPolicy.OnWorkerLost;
import dev.belay.domain.spec.RunPolicy.WorkerLoss;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.ReapReads.Survey;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.reap.ReapWriter;
import dev.belay.engine.reap.ReapWriter.Ending;
import dev.belay.engine.reap.Reaper;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.Peer;
import dev.belay.store.fixture.LiveStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole path of a stall: detected, decided, ended under lock, recorded. */
class ReapTest {

  private static final LiveStore store = new LiveStore();

  private static final RunPolicy STRICT =
      new RunPolicy(
          LiveStore.RETRIES.retry(),
          Map.of(),
          null,
          new WorkerLoss(OnWorkerLost.RETRY, Fencing.STRICT));

  private static final RunPolicy FAILS =
      new RunPolicy(
          LiveStore.RETRIES.retry(),
          Map.of(),
          null,
          new WorkerLoss(OnWorkerLost.FAIL, Fencing.STRICT));

  private static final ReapContext CALM =
      new ReapContext(false, Optional.empty(), Duration.ofDays(1));

  private final PostgresReap reads = new PostgresReap(store.jdbi(), RULES);
  private final ReapWriter reap = store.reaps(RULES);
  private final Peer worker = store.newWorker();

  /** Another replica exists to which a worker could have returned. */
  @BeforeEach
  void listening() {
    replica("here", "1 s", "2 h");
  }

  @AfterEach
  void clear() {
    store.clear();
  }

  @AfterAll
  static void close() {
    store.close();
  }

  @Test
  void tasks_of_a_worker_that_hung_up_are_given_up_after_15_seconds() {
    var running = running(LiveStore.RETRIES);
    var dispatched = dispatched(LiveStore.RETRIES);
    hungUp("14 s");
    look();
    assertThat(store.task(running)).isEqualTo("RUNNING started");

    hungUp("15 s");
    look();
    look();
    for (TaskId task : List.of(running, dispatched)) {
      assertThat(store.task(task)).isEqualTo("PENDING agent_lost");
      assertThat(store.task(task, "lost_count")).as("once").isEqualTo("1");
      assertThat(history(task)).isEqualTo("agent_lost reaper");
    }
    assertThat(recoveries()).isEqualTo("agent_closed agent_closed");
  }

  @Test
  void a_lost_attempt_says_when_it_was_last_heard_of_and_not_that_it_ran_until_now() {
    var task = running(LiveStore.RETRIES);
    store
        .rows()
        .run(
            "UPDATE task SET dispatched_at = dispatched_at - interval '60 s' WHERE id = '%s'"
                .formatted(task));
    hungUp("16 s");
    look();
    assertThat(
            store
                .rows()
                .text(
                    """
                    SELECT round(extract(epoch FROM ended_at - last_heard_at)) FROM attempt
                    WHERE task_id = '%s'\
                    """
                        .formatted(task)))
        .isEqualTo("16");
  }

  @Test
  void a_lost_worker_raises_one_alert_with_its_name_also_when_it_held_nothing() {
    seen("20 s");
    hungUp("16 s");
    look();
    look();
    Reapers.of(store, RULES, () -> 0).runOnce();
    assertThat(alerts()).contains("is lost: it hung up and did not come back").hasLineCount(1);

    store.rows().run("UPDATE alert SET at = at - interval '1 hour'");
    seen("17 s");
    Reapers.of(store, RULES, () -> 0).runOnce();
    assertThat(alerts()).as("it came back, and was lost again").hasLineCount(2);
  }

  @Test
  void a_worker_that_was_drained_is_not_missed() {
    hungUp("16 s");
    store.rows().run("UPDATE worker SET drained = true WHERE id = '%s'".formatted(worker.worker()));
    look();
    assertThat(alerts()).isEmpty();
  }

  private static String alerts() {
    return store
        .rows()
        .text(
            "SELECT coalesce(string_agg(detail, chr(10)), '') FROM alert WHERE kind ="
                + " 'worker_lost'");
  }

  @Test
  void strict_task_waits_for_its_lease() {
    var strict = running(STRICT);
    var token = running(LiveStore.RETRIES);
    hungUp("15 s");
    seen("20 s");
    look();
    // 60 s, 1 % and 5 s after the last heartbeat
    assertThat(store.task(strict, "round(extract(epoch FROM not_before - state_since))"))
        .as("a new leader has watched nothing yet")
        .isEqualTo("66");
    assertThat(store.task(token, "not_before = state_since")).isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource({
    // worker last seen, replica last seen, writes since; lost?
    "91 s, 1 s, 1 h, true",
    "89 s, 1 s, 1 h, false",
    "1 h, 1 s, 89 s, false", // the replica could not write until then
    "1 h, 1 s, 91 s, true",
    "1 h, 89 s, 1 h, false", // the replica itself is down; the worker may be looking for another
    "1 h, 91 s, 1 h, true",
  })
  void silence_counts_while_the_replica_could_write(
      String seen, String replicaSeen, String writes, boolean lost) {
    var task = running(LiveStore.RETRIES);
    age(task, "2 h");
    seen(seen);
    replica("r1", replicaSeen, writes);
    look();
    assertThat(store.task(task)).isEqualTo(lost ? "PENDING agent_lost" : "RUNNING started");
  }

  @Test
  void sign_between_look_and_end_saves_the_tasks() {
    var task = running(LiveStore.RETRIES);
    hungUp("1 h");
    Survey survey = reads.survey();
    var active = reads.readActive(List.of(worker.worker()), null, 10, survey);
    var end = (LivenessVerdict.End) LivenessRule.judgeAll(active.getFirst().attempt(), RULES, CALM);
    var endings = List.of(new Ending(active.getFirst(), end));
    Map<WorkerId, Witness> witnesses = new HashMap<>();
    survey.workers().forEach(seen -> witnesses.put(seen.id(), seen.witness()));

    store.register(new Peer(worker.worker(), worker.session(), 2), 1_000);
    assertThat(reap.end(store.epoch(), endings, witnesses).count()).isZero();
    assertThat(store.task(task)).isEqualTo("RUNNING started");
    assertThat(reap.end(store.epoch(), endings, witnessesNow()).count()).isEqualTo(1);
    assertThat(reap.end(store.epoch(), endings, witnessesNow()).count()).as("again").isZero();
  }

  @Test
  void a_look_that_finds_nothing_spares_one_call_and_no_more() {
    Epoch deposed = new Epoch(store.epoch().value() - 1);
    reap.look();
    assertThat(reap.expireDeadlines(deposed, 10).count()).as("spared").isZero();
    assertThatThrownBy(() -> reap.expireDeadlines(deposed, 10)).isInstanceOf(Deposed.class);
  }

  @Test
  void deposed_leader_ends_nothing() {
    var task = running(LiveStore.RETRIES);
    hungUp("1 h");
    var active = reads.readActive(List.of(worker.worker()), null, 10, reads.survey()).getFirst();
    var end = (LivenessVerdict.End) LivenessRule.judgeAll(active.attempt(), RULES, CALM);
    var past = new Epoch(store.epoch().value() - 1);
    assertThatThrownBy(() -> reap.end(past, List.of(new Ending(active, end)), witnessesNow()))
        .isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> reap.expireDeadlines(past, 10)).isInstanceOf(Deposed.class);
    assertThat(store.task(task)).isEqualTo("RUNNING started");
  }

  @Test
  void deleted_worker_is_gone() {
    var task = running(LiveStore.RETRIES);
    store.rows().run("DELETE FROM worker WHERE id = '" + worker.worker() + "'");
    look();
    assertThat(store.task(task)).isEqualTo("PENDING worker_gone");
    store.register(worker, 1_000);
  }

  /** Even when the task is over and a person restarts it. */
  @Test
  void lost_strict_attempt_keeps_every_claim_waiting_for_its_lease() {
    var strict = running(FAILS);
    hungUp("15 s");
    look();
    assertThat(store.task(strict)).isEqualTo("FAILED agent_lost");
    store
        .rows()
        .run("UPDATE task SET state = 'SCHEDULED', ended_at = NULL WHERE id = '" + strict + "'");
    var other = store.newWorker();
    var claim = new Claim(strict, new DispatchId(store.ids().next()), 0);
    assertThat(candidates()).isEmpty();
    assertThat(store.claim(store.epoch(), other, List.of(claim))).isEmpty();
    store.rows().run("UPDATE task SET lease_ends_at = now() WHERE id = '" + strict + "'");
    assertThat(store.claim(store.epoch(), other, List.of(claim))).containsExactly(strict);
  }

  @Test
  void dispatch_that_nobody_prepares_is_lost_after_three_minutes() {
    var lost = dispatched(LiveStore.RETRIES);
    var prepared = dispatched(LiveStore.RETRIES);
    var young = dispatched(LiveStore.RETRIES);
    var runs = running(LiveStore.RETRIES);
    store.rows().run("UPDATE worker SET connected_at = now() - interval '1 h'");
    List.of(lost, prepared, runs).forEach(task -> age(task, "181 s"));
    age(young, "150 s");
    var dispatch = DispatchId.of(store.task(prepared, "dispatch_id"));
    store.workers.touch(worker, new Load(1, List.of(dispatch), 1, 0));
    lookFor(29);
    assertThat(store.task(lost)).as("watched too shortly").isEqualTo("DISPATCHED claimed");
    lookFor(30);
    assertThat(store.task(lost)).isEqualTo("PENDING dispatch_lost");
    assertThat(store.task(prepared)).isEqualTo("DISPATCHED claimed");
    assertThat(store.task(young)).isEqualTo("DISPATCHED claimed");
    assertThat(store.task(runs)).isEqualTo("RUNNING started");
  }

  @Test
  void worker_that_woke_up_has_its_turn_before_its_dispatch_is_lost() {
    var task = dispatched(LiveStore.RETRIES);
    store.rows().run("UPDATE worker SET connected_at = now() - interval '1 h'");
    var nanos = new long[1];
    Reaper reaper = Reapers.of(store, RULES, () -> nanos[0]);
    for (int second = 0; second <= 45; second += 5) {
      lookAt(second, nanos, reaper);
    }
    store.workers.touch(worker, new Load(1, List.of(), 1, 0));
    age(task, "181 s");
    for (int second : List.of(46, 55, 65, 74)) {
      lookAt(second, nanos, reaper);
    }
    assertThat(store.task(task)).isEqualTo("DISPATCHED claimed");
    lookAt(75, nanos, reaper);
    assertThat(store.task(task)).isEqualTo("PENDING dispatch_lost");
  }

  @Test
  void deadline_ends_what_waits_and_aborts_what_runs() {
    var waits = store.submit(LiveStore.RETRIES);
    var runs = running(LiveStore.RETRIES);
    var inTime = store.submit(LiveStore.RETRIES);
    deadline(waits, "-1 s");
    deadline(runs, "-1 s");
    deadline(inTime, "1 h");
    look();
    look();
    assertThat(store.task(waits)).isEqualTo("TIMEOUT deadline_passed");
    assertThat(store.task(inTime)).startsWith("SCHEDULED");
    assertThat(store.task(runs)).isEqualTo("RUNNING started");
    var dispatch = DispatchId.of(store.task(runs, "dispatch_id"));
    assertThat(store.attempt(dispatch, "abort_reason")).isEqualTo("deadline_passed");
    assertThat(recoveries()).isEqualTo("deadline_passed deadline_passed");

    hungUp("15 s");
    look();
    assertThat(store.task(runs)).as("settled").isEqualTo("TIMEOUT deadline_passed");
  }

  @Test
  void attempt_that_runs_longer_than_any_may_is_aborted() {
    var task = running(LiveStore.RETRIES);
    store
        .rows()
        .run("UPDATE task SET started_at = now() - interval '6 h' WHERE id = '" + task + "'");
    look();
    var dispatch = DispatchId.of(store.task(task, "dispatch_id"));
    assertThat(store.attempt(dispatch, "abort_reason")).isEqualTo("running_too_long");
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING, NULL, 121 s, SCHEDULED pending_replayed",
    "PENDING, NULL, 119 s, PENDING x",
    "PENDING, now() - interval '121 s', 1 h, SCHEDULED pending_replayed",
    "PENDING, now() - interval '119 s', 1 h, PENDING x",
    "PENDING, now() + interval '1 h', 1 h, PENDING x",
    "APPROVAL_REQUIRED, NULL, 7 d, DENIED approval_expired",
    "APPROVAL_REQUIRED, NULL, 6 d, APPROVAL_REQUIRED x",
    "DEFERRED, NULL, 7 d, FAILED deferral_expired",
    "DEFERRED, NULL, 6 d, DEFERRED x",
    "DEFERRED, now() - interval '1 h', 8 d, DEFERRED x", // the timers end it
    "DEFERRED, now() + interval '1 h', 8 d, DEFERRED x",
    "BLOCKED, NULL, 100 d, BLOCKED x",
    "SCHEDULED, NULL, 100 d, SCHEDULED x",
  })
  void wait_without_a_worker_has_its_limit(
      String state, String notBefore, String since, String becomes) {
    var task = store.submit(LiveStore.RETRIES);
    store
        .rows()
        .run(
            "UPDATE task SET reason = 'x', state = '%s', not_before = %s,"
                    .formatted(state, notBefore)
                + " state_since = now() - interval '%s' WHERE id = '%s'".formatted(since, task));
    look();
    assertThat(store.task(task)).isEqualTo(becomes);
  }

  @Test
  void many_silent_workers_raise_one_alert_and_lose_nothing() {
    var task = running(LiveStore.RETRIES);
    age(task, "1 h");
    for (int i = 0; i < 5; i++) {
      store.newWorker();
    }
    store.rows().run("UPDATE worker SET last_seen_at = now() - interval '100 s'");
    Reaper reaper = Reapers.of(store, RULES, System::nanoTime);
    reaper.runOnce();
    reaper.runOnce();
    assertThat(store.task(task)).isEqualTo("RUNNING started");
    assertThat(store.rows().text("SELECT string_agg(kind, ' ') FROM alert"))
        .isEqualTo("workers_silent_together");
    store.rows().run("UPDATE worker SET last_seen_at = now() - interval '700 s'");
    reaper.runOnce();
    assertThat(store.task(task)).isEqualTo("PENDING agent_lost");
  }

  @Test
  void new_leader_trusts_no_silence_for_half_a_minute() {
    var task = running(LiveStore.RETRIES);
    age(task, "2 h");
    seen("100 s");
    var nanos = new long[1];
    Reaper reaper = Reapers.of(store, GRACIOUS, () -> nanos[0]);
    for (int second = 0; second < 30; second += 5) {
      lookAt(second, nanos, reaper);
      seen("100 s");
    }
    assertThat(store.task(task)).isEqualTo("RUNNING started");
    lookAt(30, nanos, reaper);
    assertThat(store.task(task)).isEqualTo("PENDING agent_lost");
  }

  private List<Candidate> candidates() {
    return store.candidates(Map.of(LiveStore.POOL, 10), List.of());
  }

  private void look() {
    Reapers.of(store, RULES, System::nanoTime).runOnce();
  }

  private void lookFor(int seconds) {
    var nanos = new long[1];
    Reaper reaper = Reapers.of(store, RULES, () -> nanos[0]);
    for (int second = 0; second < seconds; second += 10) {
      lookAt(second, nanos, reaper);
    }
    lookAt(seconds, nanos, reaper);
  }

  private static void lookAt(int second, long[] nanos, Reaper reaper) {
    nanos[0] = Duration.ofSeconds(second).toNanos();
    reaper.runOnce();
  }

  private Map<WorkerId, Witness> witnessesNow() {
    Map<WorkerId, Witness> witnesses = new HashMap<>();
    reads.survey().workers().forEach(seen -> witnesses.put(seen.id(), seen.witness()));
    return witnesses;
  }

  private TaskId dispatched(RunPolicy policy) {
    var task = store.submit(policy);
    store.claim(worker, task);
    return task;
  }

  private TaskId running(RunPolicy policy) {
    var task = store.submit(policy);
    var dispatch = store.claim(worker, task);
    store.results.write(List.of(store.started(worker, dispatch)));
    return task;
  }

  private void hungUp(String ago) {
    store
        .rows()
        .run(
            "UPDATE worker SET state = 'DISCONNECTED', closed_by_peer = true,"
                + " disconnected_at = now() - interval '"
                + ago
                + "' WHERE id = '"
                + worker.worker()
                + "'");
  }

  private void seen(String ago) {
    store
        .rows()
        .run(
            "UPDATE worker SET last_seen_at = now() - interval '"
                + ago
                + "' WHERE id = '"
                + worker.worker()
                + "'");
  }

  private static void replica(String name, String seen, String writes) {
    store
        .rows()
        .run(
            "INSERT INTO replica VALUES ('%s', now() - interval '%s', now() - interval '%s')"
                .formatted(name, seen, writes));
  }

  private static void age(TaskId task, String age) {
    store
        .rows()
        .run(
            "UPDATE task SET dispatched_at = now() - interval '%s' WHERE id = '%s'"
                .formatted(age, task));
  }

  private static void deadline(TaskId task, String in) {
    store
        .rows()
        .run(
            "UPDATE task SET deadline_at = now() + interval '%s' WHERE id = '%s'"
                .formatted(in, task));
  }

  private static String history(TaskId task) {
    return store
        .rows()
        .text(
            "SELECT string_agg(reason || ' ' || actor, ',') FROM history"
                + " WHERE to_state = 'PENDING' AND task_id = '"
                + task
                + "'");
  }

  private static String recoveries() {
    return store
        .rows()
        .text("SELECT coalesce(string_agg(kind, ' ' ORDER BY kind), '') FROM recovery");
  }
}
