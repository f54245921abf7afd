package dev.belay.store.dispatch;

import static dev.belay.store.fixture.LiveStore.POOL;
import static dev.belay.store.fixture.LiveStore.RETRIES;
import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Worker;
import dev.belay.domain.routing.Worker.Condition;
import dev.belay.domain.routing.Worker.Presence;
import dev.belay.domain.routing.Worker.Traits;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.admit.DueTasks.Promoted;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Head;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.LastAttempt;
import dev.belay.engine.port.DispatchStore.Quiet;
import dev.belay.engine.port.DispatchStore.Target;
import dev.belay.engine.port.DispatchStore.Wanted;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.steer.Terminate;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.Offer.Resources;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
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
    var read = store.dispatch.readWorkers();
    assertThat(store.takingWork())
        .extracting(Worker::id)
        .containsExactlyInAnyOrder(worker.worker(), free.worker());
    var queue = read.held().getFirst().queue();
    assertThat(read.held())
        .extracting(Held::dispatch, Held::worker, Held::queue, Held::pool)
        .containsExactlyInAnyOrder(
            tuple(dispatched, worker.worker(), queue, null),
            tuple(running, worker.worker(), queue, null));
    assertThat(read.held())
        .allSatisfy(
            held -> assertThat(held.since()).isBetween(read.now().minusSeconds(60), read.now()));
    assertThat(String.valueOf(queue)).isEqualTo(store.task(store.taskOf(running), "queue_id"));
    store.workers.markDisconnected(worker, false);
    assertThat(store.dispatch.readWorkers().held()).as("it is away").hasSize(2);
  }

  @Test
  void runs_of_a_workflow_take_turns_at_each_priority() {
    var runs = Stream.generate(store.rows()::openRun).limit(3).sorted().toList();
    var tasks = new ArrayList<TaskId>();
    for (int i = 0; i < 9; i++) {
      tasks.add(new TaskId(store.rows().task(TaskState.SCHEDULED, runs.get(i / 3))));
    }
    store.rows().run("UPDATE task SET priority = 90 WHERE id = '" + tasks.get(8) + "'");
    var queue = store.dispatch.readWaiting(null, 10).getFirst();
    assertThat(queue.priority()).isEqualTo(90);
    assertThat(inTurns(queue.queue(), 4, new UUID(0, 0)))
        .containsExactly(tasks.get(8), tasks.get(0), tasks.get(3), tasks.get(6));
    store.claim(worker, tasks.get(8));
    assertThat(inTurns(queue.queue(), 4, runs.get(0)))
        .as("behind the run that had the last turn")
        .containsExactly(tasks.get(3), tasks.get(6), tasks.get(0), tasks.get(4));
    assertThat(inTurns(queue.queue(), 2, runs.get(2))).containsExactly(tasks.get(0), tasks.get(3));
    assertThat(inTurns(queue.queue(), 100, runs.get(1))).hasSize(8).doesNotHaveDuplicates();
  }

  private List<TaskId> inTurns(QueueId queue, int take, UUID after) {
    return store
        .dispatch
        .readCandidates(
            List.of(new Wanted(queue, take, new RunId(after))), List.of(), LiveStore.FAR_AWAY)
        .stream()
        .map(Candidate::task)
        .toList();
  }

  @Test
  void waiting_task_queues_are_found_page_by_page() {
    for (String pool : List.of("a", "b", "c")) {
      store.submit(RETRIES, pool, 10);
      store.submit(RETRIES, pool, 20);
    }
    store.claim(worker, store.submit(RETRIES, "taken", 99));
    var all = store.dispatch.readWaiting(null, 10);
    assertThat(all).hasSize(3).extracting(Head::priority).containsOnly(20);
    assertThat(store.dispatch.readWaiting(null, 2)).isEqualTo(all.subList(0, 2));
    assertThat(store.dispatch.readWaiting(all.get(1).queue(), 2)).isEqualTo(all.subList(2, 3));
  }

  @Test
  void one_claim_serves_many_workers_and_skips_those_that_left() {
    var second = store.newWorker();
    var gone = store.newWorker();
    store.workers.drain(gone);
    Map<Target, List<Claim>> claims = new LinkedHashMap<>();
    for (Peer peer : List.of(second, worker, gone, store.restarted(second))) {
      claims.put(
          new Target(peer.worker(), peer.session()),
          List.of(
              new Claim(store.submit(RETRIES), new DispatchId(store.ids().next()), 0),
              new Claim(store.submit(RETRIES), new DispatchId(store.ids().next()), 0)));
    }
    var claimed = store.dispatch.claim(store.epoch(), claims, LiveStore.FAR_AWAY);
    assertThat(claimed).containsOnlyKeys(worker.worker(), second.worker());
    assertThat(claimed.values()).allMatch(entries -> entries.size() == 2);
    assertThat(store.rows().count("task WHERE state = 'DISPATCHED'")).isEqualTo(4);
    assertThat(store.rows().count("task WHERE worker_id = '" + second.worker() + "'")).isEqualTo(2);
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
    assertThat(store.takingWork()).extracting(Worker::id).containsExactly(worker.worker());
    assertThat(store.dispatch.readWorkers().workers())
        .as("those that are away decide whether a task is given up")
        .extracting(each -> each.condition().presence())
        .containsExactlyInAnyOrder(
            Presence.PRESENT, Presence.SILENT, Presence.DRAINING, Presence.DISCONNECTED);
  }

  @Test
  void worker_facts_are_read_anew_when_they_may_have_changed() {
    hello(1_001, Map.of("zone", "a", "rack", "7"), Set.of("gpu"), new Resources(1 << 30, 4_000));
    store
        .rows()
        .run(
            "UPDATE worker SET withheld_slots = 1, cpu_percent = 50, gpu_percent = 25, trouble ="
                + " 'x'");
    Worker read = store.dispatch.readWorkers().workers().getFirst();
    assertThat(read.name()).isEqualTo("w");
    assertThat(read.traits())
        .isEqualTo(new Traits(Set.of(POOL), Set.of("gpu"), Map.of("zone", "a", "rack", "7")));
    assertThat(read.capacity()).isEqualTo(new Load(4, 1 << 30, 4_000));
    assertThat(read.condition())
        .isEqualTo(new Condition(Presence.TROUBLED, false, 1, 50, 25, null));
    assertThat(store.dispatch.readWorkers().workers()).containsExactly(read);

    hello(1_002, Map.of("zone", "b"), Set.of(), Resources.UNDECLARED);
    read = store.dispatch.readWorkers().workers().getFirst();
    assertThat(read.traits()).isEqualTo(new Traits(Set.of(POOL), Set.of(), Map.of("zone", "b")));
    assertThat(read.capacity()).isEqualTo(new Load(4, 0, 0));
    assertThat(read.condition())
        .as("no heartbeat yet")
        .isEqualTo(new Condition(Presence.TROUBLED, false, 0, 0, 0, null));
  }

  private void hello(
      long number, Map<String, String> labels, Set<String> capabilities, Resources resources) {
    var offer = new Offer(List.of(POOL), 4, labels, capabilities, resources);
    var hello =
        new WorkerHello(
            store.restarted(worker),
            LiveStore.KEY,
            number,
            1_000,
            new WorkerHello.Profile("w", offer, "1", "linux"));
    assertThat(store.workers.register(hello, "r1")).isEqualTo(new Registration.Accepted());
  }

  @Test
  void claim_stores_the_pool_that_the_router_chose() {
    var task = store.submit(RETRIES);
    var dispatch = new DispatchId(store.ids().next());
    store.claim(
        store.epoch(), worker, List.of(new Claim(task, null, dispatch, 0, false, null, "chosen")));
    assertThat(store.dispatch.readWorkers().held())
        .extracting(Held::dispatch, Held::pool)
        .containsExactly(tuple(dispatch, "chosen"));
  }

  @Test
  void candidate_names_the_worker_on_which_its_attempt_ended() {
    var task = store.submit(RETRIES);
    assertThat(candidate(task).last()).isNull();
    var failed = store.claim(worker, task);
    store.results.write(List.of(store.exited(worker, failed, 1)));
    store.rows().run("UPDATE task SET state = 'SCHEDULED', not_before = NULL, ended_at = NULL");
    assertThat(candidate(task).last()).isEqualTo(new LastAttempt(worker.worker(), null));
    store.rows().run("UPDATE task SET end_reason = 'dispatch_failed: no resources: memory'");
    assertThat(candidate(task).last()).isNotNull().extracting(LastAttempt::refusedAt).isNotNull();
  }

  private Candidate candidate(TaskId task) {
    var queue = new QueueId(Long.parseLong(store.task(task, "queue_id")));
    return store
        .dispatch
        .readCandidates(List.of(new Wanted(queue, 1, null)), List.of(), Instant.now())
        .getFirst();
  }

  @Test
  void worker_that_names_a_pool_twice_does_not_stop_the_rest() {
    var twice =
        new WorkerHello.Profile("w", new Offer(List.of(POOL, POOL), 4, Map.of()), "1", "linux");
    var odd = new WorkerHello(store.restarted(worker), LiveStore.KEY, 1_001, 1_000, twice);
    assertThat(store.workers.register(odd, "r1")).isEqualTo(new Registration.Accepted());
    assertThat(store.dispatch.readWorkers().workers()).hasSize(1);
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
    assertThat(store.due.promote(store.epoch(), 10)).isEqualTo(Promoted.none(Optional.empty()));
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
  void deposed_leader_neither_claims_nor_promotes() {
    var task = store.submit(RETRIES);
    var due = pending("-1 s");
    var past = new Epoch(store.epoch().value() - 1);
    assertThatThrownBy(() -> claim(past, worker, task)).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> store.due.promote(past, 10)).isInstanceOf(Deposed.class);
    assertThat(store.task(task)).isEqualTo("SCHEDULED submitted");
    assertThat(store.task(due)).startsWith("PENDING");
    assertThat(store.rows().count("attempt")).isZero();
  }

  private List<TaskId> candidates(Map<String, Integer> limits, List<TaskId> except) {
    return store.candidates(limits, except).stream().map(Candidate::task).toList();
  }

  private List<TaskId> claim(Peer peer, TaskId... tasks) {
    return claim(store.epoch(), peer, tasks);
  }

  private List<TaskId> claim(Epoch epoch, Peer peer, TaskId... tasks) {
    return store.claim(
        epoch,
        peer,
        Stream.of(tasks)
            .map(task -> new Claim(task, new DispatchId(store.ids().next()), 0))
            .toList());
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
