package dev.belay.store.worker;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.settle.Outcome;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.steer.WorkerAccess;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkersTest {

  private static final Registration ACCEPTED = new Registration.Accepted();

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
  void newer_connection_and_newer_process_replace_the_older() {
    var second = new Peer(worker.worker(), worker.session(), 2);
    assertThat(store.register(second, 1_000)).isEqualTo(ACCEPTED);
    var restarted = store.restarted(worker);
    assertThat(store.register(restarted, 2_000)).isEqualTo(ACCEPTED);
    assertThat(registered()).isEqualTo(restarted.session() + " 1 CONNECTED");
  }

  @Test
  void late_hello_of_an_older_connection_or_process_is_refused() {
    var restarted = store.restarted(worker);
    store.register(new Peer(restarted.worker(), restarted.session(), 2), 2_000);
    assertThat(store.register(restarted, 2_000)).isInstanceOf(Registration.Refused.class);
    assertThat(store.register(new Peer(worker.worker(), worker.session(), 9), 1_000))
        .isInstanceOf(Registration.Refused.class);
    assertThat(registered()).isEqualTo(restarted.session() + " 2 CONNECTED");
  }

  @Test
  void older_hello_behind_a_newer_one_is_refused() {
    var second = new Peer(worker.worker(), worker.session(), 2);
    var third = new Peer(worker.worker(), worker.session(), 3);
    try (var race = holding("worker", worker.worker())) {
      var newer = race.next(() -> store.register(third, 1_000));
      var older = race.next(() -> store.register(second, 1_000));
      race.release();
      assertThat(result(newer)).isEqualTo(ACCEPTED);
      assertThat(result(older)).isInstanceOf(Registration.Refused.class);
    }
    assertThat(registered()).isEqualTo(worker.session() + " 3 CONNECTED");
  }

  @Test
  void worker_that_joined_before_there_were_keys_sets_its_key_or_is_revoked_without() {
    store.rows().run("DELETE FROM worker_key");
    var restarted = store.restarted(worker);
    assertThat(store.register(restarted, 1)).isEqualTo(ACCEPTED);
    store.rows().run("DELETE FROM worker_key");
    assertThat(
            new WorkerAccess(store.transactions, store.rows().hints())
                .revoke(worker.worker(), "me"))
        .isTrue();
    assertThat(store.register(store.restarted(worker), 5)).isInstanceOf(Registration.Refused.class);
  }

  @Test
  void time_of_a_worker_is_bounded_by_ours() {
    var hello =
        new WorkerHello(
            store.restarted(worker), LiveStore.KEY, 2_000, 253_370_764_800_000L, LiveStore.PROFILE);
    store.workers.register(hello, "r1");
    assertThat(store.rows().text("SELECT CAST(started_at <= connected_at AS text) FROM worker"))
        .isEqualTo("true");
  }

  @Test
  void worker_whose_name_joined_anew_is_forgotten_sooner() {
    var day = Duration.ofDays(1);
    var forgotten = new ForgottenWorkers(day, Duration.ofHours(1), day);
    var second = store.newWorker();
    disconnect(worker);
    store
        .rows()
        .run(
            "UPDATE worker SET last_seen_at = belay_now() - interval '2 h', disconnected_at ="
                + " belay_now() - interval '2 h' WHERE state = 'DISCONNECTED'");
    store.jdbi().useHandle(forgotten::forget);
    assertThat(store.rows().text("SELECT string_agg(CAST(id AS text), ' ') FROM worker"))
        .isEqualTo(second.worker().toString());
    disconnect(second);
    store.rows().run("UPDATE worker SET last_seen_at = belay_now() - interval '2 h'");
    store.jdbi().useHandle(forgotten::forget);
    assertThat(store.rows().text("SELECT count(*) || '' FROM worker"))
        .as("the only one")
        .isEqualTo("1");
    store.rows().run("UPDATE worker_key SET last_hello_at = belay_now() - interval '2 d'");
    store.jdbi().useHandle(forgotten::forget);
    assertThat(store.rows().text("SELECT CAST(worker_id AS text) FROM worker_key"))
        .as("the key of a worker that is listed")
        .isEqualTo(second.worker().toString());
  }

  @Test
  void disconnect_of_an_older_connection_does_not_override_a_newer_one() {
    var second = new Peer(worker.worker(), worker.session(), 2);
    try (var race = holding("worker", worker.worker())) {
      var hello = race.next(() -> store.register(second, 1_000));
      var disconnect = race.next(() -> disconnect(worker));
      race.release();
      assertThat(result(hello)).isEqualTo(ACCEPTED);
      result(disconnect);
    }
    assertThat(registered()).isEqualTo(worker.session() + " 2 CONNECTED");
    disconnect(store.restarted(worker));
    assertThat(registered()).isEqualTo(worker.session() + " 2 CONNECTED");
    disconnect(second);
    assertThat(registered()).isEqualTo(worker.session() + " 2 DISCONNECTED");
    store.register(new Peer(worker.worker(), worker.session(), 3), 1_000);
    assertThat(registered()).isEqualTo(worker.session() + " 3 CONNECTED");
  }

  @Test
  void report_is_taken_once_in_its_order_and_from_the_registered_connection() {
    store.rows().run("UPDATE worker SET last_seen_at = 'epoch'");
    touch(new Peer(worker.worker(), worker.session(), 2), 5);
    assertThat(seen()).isEqualTo("0 true");
    touch(worker, 2);
    assertThat(seen()).isEqualTo("2 false");
    store.rows().run("UPDATE worker SET last_seen_at = 'epoch'");
    touch(worker, 1);
    touch(worker, 2);
    assertThat(seen()).isEqualTo("2 true");
  }

  @Test
  void trouble_of_a_worker_is_shown_raises_one_alert_and_goes() {
    store.workers.touch(worker, new Load(1, List.of(), 0, 0, 0, null, "disk full: /x"));
    store.workers.touch(worker, new Load(2, List.of(), 0, 0, 0, null, "disk full: /x"));
    assertThat(store.rows().text("SELECT kind || ' ' || detail FROM alert"))
        .isEqualTo("worker_in_trouble worker w: disk full: /x (id " + worker.worker() + ")");
    var trouble =
        "SELECT coalesce(trouble, 'none') FROM worker WHERE id = '" + worker.worker() + "'";
    assertThat(store.rows().text(trouble)).isEqualTo("disk full: /x");
    touch(worker, 3);
    assertThat(store.rows().text(trouble)).isEqualTo("none");
  }

  @Test
  void trouble_of_a_worker_raises_one_alert_in_a_while_whatever_it_says() {
    var other = store.newWorker();
    trouble(worker, 1, "no space (id " + other.worker() + ")");
    for (int heartbeat = 2; heartbeat < 20; heartbeat++) {
      trouble(worker, heartbeat, "x".repeat(2_000) + heartbeat);
    }
    assertThat(store.rows().count("alert")).isEqualTo(1);
    trouble(other, 1, "no space");
    assertThat(store.rows().count("alert")).as("another worker's").isEqualTo(2);
    store.rows().run("UPDATE alert SET at = at - interval '5 min'");
    trouble(worker, 20, "y".repeat(2_000));
    trouble(worker, 21, "z");
    assertThat(store.rows().count("alert")).isEqualTo(3);
    assertThat(store.rows().text("SELECT max(length(detail)) || '' FROM alert")).isEqualTo("1000");
  }

  @Test
  void replicas_that_hear_of_a_workers_trouble_at_once_raise_one_alert() {
    try (var race = holding("worker", worker.worker())) {
      var first = race.next(() -> trouble(worker, 1, "disk full"));
      var second = race.next(() -> trouble(worker, 2, "the disk is full"));
      race.release();
      assertThat(result(first)).isTrue();
      assertThat(result(second)).isTrue();
    }
    assertThat(store.rows().text("SELECT detail FROM alert")).startsWith("worker w: disk full (");
  }

  private boolean trouble(Peer of, long heartbeat, String text) {
    return store.workers.touch(of, new Load(heartbeat, List.of(), 0, 0, 0, null, text));
  }

  @Test
  void drain_is_guarded_and_stays_until_the_disconnect() {
    store.workers.drain(new Peer(worker.worker(), worker.session(), 2));
    assertThat(registered()).endsWith("CONNECTED");
    store.workers.drain(worker);
    assertThat(registered()).endsWith("DRAINING");
    touch(worker, 1);
    assertThat(registered()).endsWith("DRAINING");
    disconnect(worker);
    store.workers.drain(worker);
    assertThat(registered()).endsWith("DISCONNECTED");
  }

  @Test
  void mailbox_holds_the_active_tasks_best_first() {
    var plain = store.submit(RETRIES);
    var urgent = store.submit(RETRIES, LiveStore.POOL, 90);
    var ended = store.submit(RETRIES);
    var first = store.claim(worker, plain);
    store.claim(worker, urgent);
    store.results.write(List.of(store.started(worker, first)));
    store.results.write(List.of(store.exited(worker, store.claim(worker, ended), 0)));
    store.steering.cancelTask(plain, "me");
    var mailbox = store.workers.readMailbox(worker, List.of()).orElseThrow();
    assertThat(mailbox).extracting(MailboxEntry::task).containsExactly(urgent, plain);
    assertThat(mailbox.getFirst().state()).isEqualTo(MailboxEntry.State.DISPATCHED);
    assertThat(mailbox.getFirst().abortReason()).isNull();
    var entry = mailbox.getLast();
    assertThat(entry.state()).isEqualTo(MailboxEntry.State.RUNNING);
    assertThat(entry.abortReason()).isEqualTo("cancelled");
    assertThat(entry.id()).isEqualTo(first);
    var assignment = entry.assignment().orElseThrow();
    assertThat(assignment.work().orElseThrow().argv()).containsExactly("true");
    assertThat(assignment.fencingToken()).isEqualTo(1);
  }

  @Test
  void work_that_cannot_be_read_is_delivered_without_any_and_holds_up_no_other() {
    var broken = store.submit(RETRIES);
    var well = store.submit(RETRIES);
    store
        .rows()
        .run(
            "UPDATE task_payload SET work = '{\"argv\": 5}' WHERE task_id = '%s'"
                .formatted(broken));
    var claims =
        List.of(
            new Claim(broken, new DispatchId(store.ids().next()), 0),
            new Claim(well, new DispatchId(store.ids().next()), 0));
    var claimed = store.entries(store.epoch(), worker, claims);
    var read = store.workers.readMailbox(worker, List.of()).orElseThrow();
    for (var entries : List.of(claimed, read)) {
      assertThat(entries).extracting(MailboxEntry::task).containsExactly(broken, well);
      assertThat(entries.get(1).assignment().orElseThrow().work()).isPresent();
      assertThat(entries.get(0).assignment().orElseThrow().work()).isEmpty();
      assertThat(entries.get(0).id()).isEqualTo(claims.getFirst().dispatch());
    }
    store.results.write(
        List.of(
            WorkerEvent.Ended.of(
                worker.worker(),
                worker.session(),
                claims.getFirst().dispatch(),
                broken,
                new Outcome.StartFailed("nothing"))));
    assertThat(store.task(broken)).isEqualTo("FAILED start_failed: nothing");
  }

  @Test
  void mailbox_opens_only_for_the_registered_connection() {
    store.claim(worker, store.submit(RETRIES));
    assertThat(store.workers.readMailbox(new Peer(worker.worker(), worker.session(), 2), List.of()))
        .isEmpty();
    assertThat(store.workers.readMailbox(store.restarted(worker), List.of())).isEmpty();
    assertThat(store.workers.readMailbox(store.newWorker(), List.of())).contains(List.of());
  }

  @Test
  void dispatch_that_never_started_is_bound_to_the_new_session() {
    var task = store.submit(RETRIES);
    var dispatch = store.claim(worker, task);
    var next = store.restarted(worker);
    store.register(next, 2_000);
    assertThat(
            store.workers.rebind(
                next,
                List.of(new Binding(store.taskOf(dispatch), dispatch, worker.session(), false))))
        .containsExactly(dispatch);
    assertThat(store.task(task, "session_id")).isEqualTo(next.session().toString());
    assertThat(store.attempt(dispatch, "session_id")).isEqualTo(next.session().toString());
    assertThat(answer(worker, dispatch)).isEqualTo(Answer.VOID);
    assertThat(answer(next, dispatch)).isEqualTo(Answer.APPLIED);
  }

  @Test
  void rebind_needs_the_old_session_the_registered_connection_and_a_task_that_did_not_start() {
    var task = store.submit(RETRIES);
    var dispatch = store.claim(worker, task);
    var next = store.restarted(worker);
    var binding = List.of(new Binding(store.taskOf(dispatch), dispatch, worker.session(), false));
    assertThat(store.workers.rebind(next, binding)).as("not registered").isEmpty();
    store.register(next, 2_000);
    assertThat(
            store.workers.rebind(
                next,
                List.of(
                    new Binding(
                        store.taskOf(dispatch),
                        dispatch,
                        new SessionId(store.ids().next()),
                        false))))
        .as("another old session")
        .isEmpty();
    assertThat(store.workers.rebind(store.newWorker(), binding)).as("another worker").isEmpty();
    store.results.write(List.of(store.started(worker, dispatch)));
    assertThat(store.workers.rebind(next, binding)).as("started").isEmpty();
    assertThat(store.task(task, "session_id")).isEqualTo(worker.session().toString());
  }

  @Test
  void work_that_outlived_its_session_is_bound_to_the_new_one() {
    var task = store.submit(RETRIES);
    var dispatch = store.claim(worker, task);
    store.results.write(List.of(store.started(worker, dispatch)));
    var next = store.restarted(worker);
    var adopted = List.of(new Binding(store.taskOf(dispatch), dispatch, worker.session(), true));
    assertThat(store.workers.rebind(next, adopted)).as("not registered").isEmpty();
    store.register(next, 2_000);
    assertThat(store.workers.rebind(next, adopted)).containsExactly(dispatch);
    assertThat(store.workers.rebind(next, adopted)).as("once").isEmpty();
    assertThat(store.task(task, "state || ' ' || session_id"))
        .isEqualTo("RUNNING " + next.session());
    assertThat(store.attempt(dispatch, "session_id")).isEqualTo(next.session().toString());
    assertThat(answer(worker, dispatch)).isEqualTo(Answer.VOID);
    assertThat(answer(next, dispatch)).isEqualTo(Answer.DUPLICATE);
  }

  @Test
  void rebind_behind_a_start_changes_nothing() {
    var task = store.submit(RETRIES);
    var dispatch = store.claim(worker, task);
    var next = store.restarted(worker);
    store.register(next, 2_000);
    try (var race = holding("task", task)) {
      var start = race.next(() -> store.results.write(List.of(store.started(worker, dispatch))));
      var rebind =
          race.next(
              () ->
                  store.workers.rebind(
                      next,
                      List.of(
                          new Binding(store.taskOf(dispatch), dispatch, worker.session(), false))));
      race.release();
      assertThat(result(start).settlements().getFirst().answer()).isEqualTo(Answer.APPLIED);
      assertThat(result(rebind)).isEmpty();
    }
    assertThat(store.task(task, "state || ' ' || session_id"))
        .isEqualTo("RUNNING " + worker.session());
  }

  @Test
  void rebind_and_results_of_the_same_tasks_do_not_deadlock() {
    var low = store.submit(RETRIES);
    var high = store.submit(RETRIES);
    // The second task has the older attempt, so attempts and tasks differ in order.
    var second = store.claim(worker, high);
    var first = store.claim(worker, low);
    var next = store.restarted(worker);
    store.register(next, 2_000);
    try (var race = holding("task", low)) {
      var results =
          race.next(
              () ->
                  store.results.write(
                      List.of(store.started(worker, first), store.started(worker, second))));
      var rebind =
          race.next(
              () ->
                  store.workers.rebind(
                      next,
                      List.of(
                          new Binding(store.taskOf(second), second, worker.session(), false),
                          new Binding(store.taskOf(first), first, worker.session(), false))));
      race.release();
      assertThat(result(results).settlements()).allMatch(one -> one.answer() == Answer.APPLIED);
      assertThat(result(rebind)).isEmpty();
    }
  }

  private Void disconnect(Peer peer) {
    store.workers.markDisconnected(peer, false);
    return null;
  }

  private Answer answer(Peer peer, DispatchId dispatch) {
    return store
        .results
        .write(List.of(store.started(peer, dispatch)))
        .settlements()
        .getFirst()
        .answer();
  }

  private String registered() {
    return store
        .rows()
        .text(
            "SELECT session_id || ' ' || connection || ' ' || state FROM worker WHERE id = '"
                + worker.worker()
                + "'");
  }

  private String seen() {
    return store
        .rows()
        .text("SELECT heartbeat_number || ' ' || (last_seen_at = 'epoch') FROM worker");
  }

  private Race holding(String table, Object id) {
    return new Race(store.rows(), "SELECT 1 FROM " + table + " WHERE id = '" + id + "' FOR UPDATE");
  }

  private boolean touch(Peer peer, long number) {
    return store.workers.touch(peer, new Load(number, List.of(), 1, 0));
  }
}
