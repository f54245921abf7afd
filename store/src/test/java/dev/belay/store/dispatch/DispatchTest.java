package dev.belay.store.dispatch;

import static dev.belay.store.fixture.LiveStore.POOL;
import static dev.belay.store.fixture.LiveStore.RETRIES;
import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.routing.Routing;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.admit.DueTasks.Promoted;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Quiet;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.steer.Terminate;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.session.wire.Offer;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DispatchTest {

  private final LiveStore store = new LiveStore();
  private Peer worker = store.newWorker();

  @BeforeEach
  void clear() {
    store.clear();
    worker = store.newWorker();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void candidates_come_by_priority_then_by_age() {
    var old = store.submit(RETRIES);
    var young = store.submit(RETRIES);
    var urgent = store.submit(RETRIES, POOL, 90);
    var idle = store.submit(RETRIES, POOL, 10);
    assertThat(candidates(Map.of(POOL, 10), List.of())).containsExactly(urgent, old, young, idle);
    assertThat(candidates(Map.of(POOL, 2), List.of())).containsExactly(urgent, old);
    assertThat(candidates(Map.of(POOL, 2), List.of(urgent))).containsExactly(old, young);
  }

  @Test
  void each_pool_has_its_own_limit_and_a_pool_that_is_not_asked_for_gives_nothing() {
    var gpu = store.submit(RETRIES, "gpu", 10);
    store.submit(RETRIES, "gpu", 5);
    store.submit(RETRIES, "other", 99);
    var first = store.submit(RETRIES);
    var second = store.submit(RETRIES);
    assertThat(candidates(Map.of(POOL, 2, "gpu", 1), List.of()))
        .containsExactly(first, second, gpu);
  }

  @Test
  void candidate_must_be_scheduled_and_its_time_must_have_come() {
    var later = store.submit(RETRIES);
    var now = store.submit(RETRIES);
    var claimed = store.submit(RETRIES);
    store.claim(worker, claimed);
    store
        .rows()
        .run(
            "UPDATE task SET not_before = belay_now() + interval '1 h' WHERE id = '" + later + "'");
    store.rows().run("UPDATE task SET not_before = belay_now() WHERE id = '" + now + "'");
    assertThat(candidates(Map.of(POOL, 10), List.of())).containsExactly(now);
  }

  @Test
  void workers_are_read_with_what_they_hold() {
    var dispatched = store.claim(worker, store.submit(RETRIES));
    var running = store.claim(worker, store.submit(RETRIES));
    store.results.write(List.of(store.started(worker, running)));
    var ended = store.claim(worker, store.submit(RETRIES));
    store.results.write(List.of(store.exited(worker, ended, 0)));
    var free = store.newWorker();
    assertThat(store.dispatch.readWorkers())
        .extracting(read -> read.worker().id(), read -> Set.copyOf(read.held()))
        .containsExactlyInAnyOrder(
            tuple(worker.worker(), Set.of(dispatched, running)), tuple(free.worker(), Set.of()));
  }

  @Test
  void silent_draining_and_disconnected_workers_get_nothing() {
    var silent = store.newWorker();
    store
        .rows()
        .run(
            "UPDATE worker SET last_seen_at = belay_now() - interval '31 s' WHERE id = '"
                + silent.worker()
                + "'");
    store.workers.drain(store.newWorker());
    store.workers.markDisconnected(store.newWorker(), false);
    assertThat(store.dispatch.readWorkers())
        .extracting(read -> read.worker().id())
        .containsExactly(worker.worker());
  }

  @Test
  void worker_that_names_a_pool_twice_does_not_stop_the_rest() {
    var twice = new WorkerHello.Profile("w", new Offer(List.of(POOL, POOL), 4, Map.of()), "1", "linux");
    var odd = new WorkerHello(store.restarted(worker), LiveStore.KEY, 1_001, 1_000, twice);
    assertThat(store.workers.register(odd, "r1")).isEqualTo(new Registration.Accepted());
    assertThat(store.dispatch.readWorkers()).hasSize(1);
  }

  @Test
  void claim_writes_task_attempt_and_history() {
    var task = store.submit(RETRIES);
    var dispatch = store.claim(worker, task);
    assertThat(store.task(task)).isEqualTo("DISPATCHED claimed");
    assertThat(
            store.task(
                task,
                "dispatch_id || ' ' || worker_id || ' ' || session_id || ' ' || fencing_token"))
        .isEqualTo(dispatch + " " + worker.worker() + " " + worker.session() + " 1");
    assertThat(
            store.attempt(
                dispatch, "task_id || ' ' || number || ' ' || epoch || ' ' || session_id"))
        .isEqualTo(task + " 1 " + store.epoch().value() + " " + worker.session());
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED");
  }

  @Test
  void claim_takes_what_is_still_scheduled_and_leaves_the_rest() {
    var cancelled = store.submit(RETRIES);
    store.steering.cancelTask(cancelled, "me");
    var taken = store.submit(RETRIES);
    store.claim(worker, taken);
    var free = store.submit(RETRIES);
    assertThat(claim(worker, cancelled, taken, free, new TaskId(store.ids().next())))
        .containsExactly(free);
    assertThat(store.rows().count("attempt")).isEqualTo(2);
  }

  @Test
  void claim_for_a_worker_that_drains_takes_nothing() {
    var task = store.submit(RETRIES);
    store.workers.drain(worker);
    assertThat(claim(worker, task)).isEmpty();
    assertThat(store.task(task)).isEqualTo("SCHEDULED submitted");
  }

  /** Both lock the task; each sees the other's write. */
  @Test
  void of_two_claims_of_one_task_one_wins() {
    var task = store.submit(RETRIES);
    var rival = store.newWorker();
    try (var race = holding("task", task)) {
      var first = race.next(() -> claim(worker, task));
      var second = race.next(() -> claim(rival, task));
      race.release();
      assertThat(result(first)).containsExactly(task);
      assertThat(result(second)).isEmpty();
    }
    assertThat(store.task(task, "worker_id || ' ' || fencing_token"))
        .isEqualTo(worker.worker() + " 1");
    assertThat(store.rows().count("attempt")).isEqualTo(1);
  }

  @Test
  void hello_behind_a_claim_finds_it_in_the_mailbox() {
    var task = store.submit(RETRIES);
    var next = store.restarted(worker);
    try (var race = holding("task", task)) {
      var claim = race.next(() -> claim(worker, task));
      var hello = race.next(() -> store.register(next, 2_000));
      race.release();
      assertThat(result(claim)).containsExactly(task);
      assertThat(result(hello)).isEqualTo(new Registration.Accepted());
    }
    assertThat(store.workers.readMailbox(next, List.of()).orElseThrow())
        .extracting(MailboxEntry::task, MailboxEntry::session)
        .containsExactly(tuple(task, worker.session()));
  }

  @Test
  void claim_behind_a_hello_of_a_new_session_takes_nothing() {
    var task = store.submit(RETRIES);
    var next = store.restarted(worker);
    try (var race = holding("worker", worker.worker())) {
      var hello = race.next(() -> store.register(next, 2_000));
      var claim = race.next(() -> claim(worker, task));
      race.release();
      assertThat(result(hello)).isEqualTo(new Registration.Accepted());
      assertThat(result(claim)).isEmpty();
    }
    assertThat(store.task(task)).isEqualTo("SCHEDULED submitted");
    assertThat(store.workers.readMailbox(next, List.of())).contains(List.of());
  }

  @Test
  void cancel_behind_a_claim_asks_the_worker() {
    var task = store.submit(RETRIES);
    try (var race = holding("task", task)) {
      var claim = race.next(() -> claim(worker, task));
      var cancel = race.next(() -> store.steering.cancelTask(task, "me"));
      race.release();
      assertThat(result(claim)).containsExactly(task);
      assertThat(result(cancel)).isInstanceOf(Terminate.Asked.class);
    }
    assertThat(store.task(task)).isEqualTo("DISPATCHED claimed");
    assertThat(store.rows().text("SELECT abort_reason FROM attempt")).isEqualTo("cancelled");
  }

  @Test
  void claim_behind_a_cancel_takes_nothing() {
    var task = store.submit(RETRIES);
    try (var race = holding("task", task)) {
      var cancel = race.next(() -> store.steering.cancelTask(task, "me"));
      var claim = race.next(() -> claim(worker, task));
      race.release();
      assertThat(result(cancel)).isEqualTo(new Terminate.Done(TaskState.CANCELLED));
      assertThat(result(claim)).isEmpty();
    }
    assertThat(store.path(task)).isEqualTo("SCHEDULED CANCELLED");
    assertThat(store.rows().count("attempt")).isZero();
  }

  @Test
  void nothing_is_due_when_nothing_waits() {
    store.submit(RETRIES);
    assertThat(store.due.promote(store.epoch(), 10)).isEqualTo(new Promoted(0, Optional.empty()));
  }

  @Test
  void it_is_quiet_while_nothing_is_marked_due_or_eligible() {
    assertThat(store.dispatch.lookQuiet()).contains(new Quiet(Optional.empty()));
    pending("1 h");
    assertThat(store.dispatch.lookQuiet().orElseThrow().nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(58), Duration.ofHours(1));
    var due = pending("-1 s");
    assertThat(store.dispatch.lookQuiet()).isEmpty();
    store.due.promote(store.epoch(), 1);
    assertThat(store.task(due)).startsWith("SCHEDULED");
    assertThat(store.dispatch.lookQuiet()).isEmpty();
    store.steering.cancelTask(due, "me");
    assertThat(store.dispatch.lookQuiet()).isPresent();
    store.rows().run("INSERT INTO mark (run_id) VALUES ('019a0000-0000-7000-8000-00000000cccc')");
    assertThat(store.dispatch.lookQuiet()).isEmpty();
  }

  @Test
  void due_tasks_are_promoted_the_longest_due_first() {
    var recent = pending("-1 s");
    var oldest = pending("-3 s");
    var older = pending("-2 s");
    var future = pending("1 h");
    var promoted = store.due.promote(store.epoch(), 2);
    assertThat(promoted.count()).isEqualTo(2);
    assertThat(promoted.nextDue().orElseThrow()).isNegative();
    assertThat(store.task(oldest)).isEqualTo("SCHEDULED due");
    assertThat(store.task(older)).isEqualTo("SCHEDULED due");
    assertThat(store.task(older, "not_before IS NULL")).isEqualTo("true");
    assertThat(store.path(older)).isEqualTo("SCHEDULED SCHEDULED");
    assertThat(store.task(recent)).startsWith("PENDING");
    promoted = store.due.promote(store.epoch(), 2);
    assertThat(promoted.count()).isEqualTo(1);
    assertThat(promoted.nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(58), Duration.ofHours(1));
    assertThat(store.task(future)).startsWith("PENDING");
    assertThat(store.due.promote(store.epoch(), 2).count()).isZero();
  }

  @Test
  void promotion_behind_a_cancel_changes_nothing() {
    var task = pending("-1 s");
    try (var race = holding("task", task)) {
      var cancel = race.next(() -> store.steering.cancelTask(task, "me"));
      var promoted = race.next(() -> store.due.promote(store.epoch(), 10));
      race.release();
      assertThat(result(cancel)).isEqualTo(new Terminate.Done(TaskState.CANCELLED));
      assertThat(result(promoted).count()).isZero();
    }
    assertThat(store.path(task)).isEqualTo("SCHEDULED CANCELLED");
  }

  @Test
  void deposed_leader_neither_claims_nor_promotes() {
    var task = store.submit(RETRIES);
    var due = pending("-1 s");
    var past = new Epoch(store.epoch().value() - 1);
    assertThatThrownBy(
            () ->
                store.dispatch.claim(
                    past,
                    worker.worker(),
                    worker.session(),
                    List.of(new Claim(task, new DispatchId(store.ids().next()), 0)),
                    LiveStore.FAR_AWAY))
        .isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> store.due.promote(past, 10)).isInstanceOf(Deposed.class);
    assertThat(store.task(task)).isEqualTo("SCHEDULED submitted");
    assertThat(store.task(due)).startsWith("PENDING");
    assertThat(store.rows().count("attempt")).isZero();
  }

  private List<TaskId> candidates(Map<String, Integer> limits, List<TaskId> except) {
    return store.dispatch.readCandidates(limits, except, LiveStore.FAR_AWAY).stream()
        .map(Routing.Candidate::task)
        .toList();
  }

  private List<TaskId> claim(Peer peer, TaskId... tasks) {
    var claims =
        List.of(tasks).stream()
            .map(task -> new Claim(task, new DispatchId(store.ids().next()), 0))
            .toList();
    return store.claim(store.epoch(), peer, claims);
  }

  private TaskId pending(String fromNow) {
    var task = store.submit(RETRIES);
    store
        .rows()
        .run(
            "UPDATE task SET state = 'PENDING', not_before = belay_now() + interval '%s' WHERE id = '%s'"
                .formatted(fromNow, task));
    return task;
  }

  private Race holding(String table, Object id) {
    return new Race(store.rows(), "SELECT 1 FROM " + table + " WHERE id = '" + id + "' FOR UPDATE");
  }
}
