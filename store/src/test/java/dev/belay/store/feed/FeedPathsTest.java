package dev.belay.store.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ChangeFeed;
import dev.belay.engine.port.ChangeFeed.Cursor;
import dev.belay.engine.port.ChangeFeed.TaskEvent;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.ReapReads.Orphan;
import dev.belay.session.gateway.Peer;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Every path that changes the state of a task or run writes the feed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FeedPathsTest {

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);
  private final ChangeFeed feed = new PostgresFeed(store.jdbi());
  private Cursor begin = new Cursor(1, 0);

  @BeforeEach
  void clear() {
    store.clear();
    begin = feed.latest();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void usual_life() {
    Peer worker = store.newWorker();
    var task = store.submit(LiveStore.RETRIES);
    var dispatch = store.claim(worker, task);
    store.results.write(List.of(store.started(worker, dispatch)));
    store.results.write(List.of(store.exited(worker, dispatch, 0)));
    assertThat(read().path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING SUCCEEDED");
    compare();
  }

  @Test
  void start_that_is_written_with_its_end_is_no_event() {
    Peer worker = store.newWorker();
    var task = store.submit(LiveStore.RETRIES);
    store.results.write(List.of(store.exited(worker, store.claim(worker, task), 0)));
    assertThat(read().path(task)).isEqualTo("SCHEDULED DISPATCHED SUCCEEDED");
    assertThat(store.path(task)).isEqualTo("SCHEDULED DISPATCHED RUNNING SUCCEEDED");
  }

  @Test
  void failure_is_retried_when_it_is_due_and_then_fails() {
    Peer worker = store.newWorker();
    var task = store.submit(LiveStore.RETRIES);
    for (int attempt = 0; attempt < 2; attempt++) {
      store.rows().run("UPDATE task SET not_before = belay_now() WHERE state = 'PENDING'");
      store.due.promote(store.epoch(), 10);
      var dispatch = claim(worker, task, attempt > 0);
      store.results.write(List.of(store.started(worker, dispatch)));
      store.results.write(List.of(store.exited(worker, dispatch, 1)));
    }
    assertThat(read().path(task))
        .isEqualTo("SCHEDULED DISPATCHED RUNNING PENDING SCHEDULED DISPATCHED RUNNING FAILED");
    compare();
  }

  @Test
  void refusal_and_loss_and_cancel() {
    Peer worker = store.newWorker();
    var refused = store.submit(LiveStore.RETRIES);
    store.results.write(List.of(store.refused(worker, store.claim(worker, refused))));
    var lost = store.submit(LiveStore.RETRIES);
    store.results.write(List.of(store.lost(worker, store.claim(worker, lost))));
    var cancelled = store.submit(LiveStore.RETRIES);
    store.steering.cancelTask(cancelled, "me");
    assertThat(read().path(cancelled)).isEqualTo("SCHEDULED CANCELLED");
    assertThat(read().path(lost)).startsWith("SCHEDULED DISPATCHED P");
    compare();
  }

  @Test
  void deadline_and_end_of_a_wait() {
    var late = store.submit(LiveStore.RETRIES);
    var deferred = store.submit(LiveStore.RETRIES);
    var denied = store.submit(LiveStore.RETRIES);
    store
        .rows()
        .run(
            "UPDATE task SET deadline_at = belay_now() WHERE id = '" + late + "'",
            "UPDATE task SET state = 'DEFERRED', not_before = belay_now() WHERE id = '"
                + deferred
                + "'",
            "UPDATE task SET state = 'APPROVAL_REQUIRED', state_since = belay_now() - interval '99"
                + " d' WHERE id = '"
                + denied
                + "'");
    var reaps = store.reaps(ReapSettings.DEFAULT);
    reaps.expireDeadlines(store.epoch(), 10);
    reaps.expireWaits(store.epoch(), 10);
    store.due.promote(store.epoch(), 10);
    assertThat(read().path(late)).isEqualTo("SCHEDULED TIMEOUT");
    assertThat(read().path(deferred)).isEqualTo("SCHEDULED SUCCEEDED");
    assertThat(read().path(denied)).isEqualTo("SCHEDULED DENIED");
    compare();
  }

  @Test
  void run_that_fails_and_is_retried() {
    planning.register(
        "name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x], depends_on: [a]}]");
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    finish(run, "a", 1, false);
    planning.plan();
    store.steering.retryRun(run, "me");
    planning.plan();
    finish(run, "a", 0, true);
    planning.plan();
    finish(run, "b", 0, false);
    planning.plan();
    var all = read();
    assertThat(all.path(run)).isEqualTo("QUEUED RUNNING FAILED QUEUED RUNNING SUCCEEDED");
    assertThat(all.path(planning.task(run, "b")))
        .isEqualTo("WAITING UPSTREAM_FAILED WAITING SCHEDULED DISPATCHED RUNNING SUCCEEDED");
    assertThat(all.events())
        .filteredOn(event -> event instanceof TaskEvent)
        .allSatisfy(
            event -> {
              assertThat(((TaskEvent) event).run()).isEqualTo(run);
              assertThat(((TaskEvent) event).workflow()).isEqualTo("w");
            });
    compare();
  }

  @Test
  void orphaned_run() {
    planning.register(
        "name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x], depends_on: [a]}]");
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    store
        .rows()
        .run(
            "DELETE FROM mark",
            "UPDATE task SET state = 'SUCCEEDED', ended_at = belay_now() WHERE name = 'a'",
            "UPDATE task SET state_since = belay_now() - interval '1 d'");
    assertThat(store.reaps(ReapSettings.DEFAULT).treatOrphan(store.epoch(), new Orphan(run, true)))
        .isTrue();
    assertThat(read().path(run)).isEqualTo("QUEUED RUNNING FAILED");
    assertThat(read().path(planning.task(run, "b"))).isEqualTo("WAITING CANCELLED");
  }

  @Test
  void one_row_for_a_batch_and_none_without_a_change() {
    Peer worker = store.newWorker();
    var tasks = List.of(store.submit(LiveStore.RETRIES), store.submit(LiveStore.RETRIES));
    var dispatches = tasks.stream().map(task -> store.claim(worker, task)).toList();
    long before = store.rows().count("feed");
    store.results.write(
        dispatches.stream().map(dispatch -> store.exited(worker, dispatch, 0)).toList());
    assertThat(store.rows().count("feed")).isEqualTo(before + 1);
    store.results.write(
        dispatches.stream().map(dispatch -> store.exited(worker, dispatch, 0)).toList());
    store.steering.cancelTask(tasks.getFirst(), "me");
    assertThat(store.rows().count("feed")).as("duplicates").isEqualTo(before + 1);
  }

  @Test
  void rolled_back_transaction_is_no_event() {
    var task = store.submit(LiveStore.RETRIES);
    try (var handle = store.jdbi().open()) {
      handle.begin();
      Moves.cancel(handle, task, TaskState.SCHEDULED);
      handle.rollback();
    }
    assertThat(read().path(task)).isEqualTo("SCHEDULED");
    compare();
  }

  private DispatchId claim(Peer worker, TaskId task, boolean again) {
    var id = new DispatchId(store.ids().next());
    var claim = new Claim(task, id, 0, again);
    assertThat(store.claim(store.epoch(), worker, List.of(claim))).containsExactly(task);
    return id;
  }

  private void finish(RunId run, String name, int code, boolean again) {
    Peer worker = store.newWorker();
    var dispatch = claim(worker, planning.task(run, name), again);
    store.results.write(List.of(store.started(worker, dispatch)));
    store.results.write(List.of(store.exited(worker, dispatch, code)));
  }

  private Drained read() {
    return Drained.whole(store.rows(), feed, begin);
  }

  /** The feed and the history show the same steps of every task and run. */
  private void compare() {
    var all = read();
    for (String id : store.rows().text("SELECT id FROM task").lines().toList()) {
      var task = new TaskId(UUID.fromString(id));
      assertThat(all.path(task)).isEqualTo(store.path(task));
    }
    for (String id : store.rows().text("SELECT id FROM run").lines().toList()) {
      assertThat(all.path(new RunId(UUID.fromString(id))))
          .isEqualTo(
              store
                  .rows()
                  .text(
                      "SELECT string_agg(to_state::text, ' ' ORDER BY id) FROM run_history WHERE"
                          + " run_id = '"
                          + id
                          + "'"));
    }
  }
}
