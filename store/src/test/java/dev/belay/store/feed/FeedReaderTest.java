package dev.belay.store.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.ChangeFeed.Cursor;
import dev.belay.engine.port.ChangeFeed.Event;
import dev.belay.engine.port.ChangeFeed.Events;
import dev.belay.engine.port.ChangeFeed.Reset;
import dev.belay.engine.port.ChangeFeed.TaskEvent;
import dev.belay.store.fixture.LiveStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/** Readers beside transactions that commit in another order than they drew their ids. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("a transaction of another test holds the readers back")
class FeedReaderTest {

  private final LiveStore store = new LiveStore();
  private PostgresFeed feed = new PostgresFeed(store.jdbi());
  private Cursor begin = new Cursor(1, 0);

  @BeforeEach
  void clear() {
    store.clear();
    feed = new PostgresFeed(store.jdbi());
    begin = feed.latest();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void open_transaction_holds_the_reader_back_and_nothing_is_skipped_when_it_commits_late() {
    var slow = store.submit(LiveStore.RETRIES);
    var seen = Drained.whole(store.rows(), feed, begin);
    TaskId fast;
    try (var open = store.jdbi().open()) {
      open.begin();
      Moves.cancel(open, slow, TaskState.SCHEDULED);
      fast = store.submit(LiveStore.RETRIES);
      for (int i = 0; i < 3; i++) {
        assertThat(Drained.of(feed, seen.next(), 10)).as("held back").isEqualTo(nothing(seen));
      }
      assertThat(feed.heldBack()).isPositive();
      assertThat(Drained.of(new PostgresFeed(store.jdbi()), seen.next(), 10))
          .as("a reader of another replica")
          .isEqualTo(nothing(seen));
      open.commit();
    }
    var after = Drained.whole(store.rows(), feed, seen.next());
    assertThat(states(after.events()))
        .as("in the order of their ids")
        .containsExactly(slow + " CANCELLED", fast + " SCHEDULED");
    assertThat(feed.heldBack()).isZero();
  }

  /**
   * The transaction has the highest xid of all, so the xmax of a snapshot is not above it: a reader
   * that compares with xmax would pass the id that it holds.
   */
  @Test
  void open_transaction_with_the_newest_xid_holds_the_reader_back() {
    var slow = store.submit(LiveStore.RETRIES);
    var other = store.submit(LiveStore.RETRIES);
    var seen = Drained.whole(store.rows(), feed, begin);
    try (var open = store.jdbi().open()) {
      open.begin();
      Moves.cancel(open, slow, TaskState.SCHEDULED);
      assertThat(Drained.of(feed, seen.next(), 10)).isEqualTo(nothing(seen));
      open.commit();
    }
    store.steering.cancelTask(other, "me");
    assertThat(states(Drained.whole(store.rows(), feed, seen.next()).events()))
        .containsExactly(slow + " CANCELLED", other + " CANCELLED");
  }

  @Test
  void later_bound_does_not_pass_a_transaction_that_began_before_it() {
    var tasks = IntStream.range(0, 4).mapToObj(i -> store.submit(LiveStore.RETRIES)).toList();
    var seen = Drained.whole(store.rows(), feed, begin);
    List<Event> read = new ArrayList<>();
    try (var first = store.jdbi().open();
        var second = store.jdbi().open()) {
      first.begin();
      Moves.cancel(first, tasks.get(0), TaskState.SCHEDULED);
      assertThat(Drained.of(feed, seen.next(), 10)).as("takes a bound").isEqualTo(nothing(seen));
      second.begin();
      Moves.cancel(second, tasks.get(1), TaskState.SCHEDULED);
      store.steering.cancelTask(tasks.get(2), "me");
      first.commit();
      var some = Drained.of(feed, seen.next(), 10);
      assertThat(states(some.events())).isSubsetOf(tasks.get(0) + " CANCELLED");
      read.addAll(some.events());
      store.steering.cancelTask(tasks.get(3), "me");
      second.commit();
      read.addAll(Drained.whole(store.rows(), feed, some.next()).events());
    }
    assertThat(states(read)).isEqualTo(tasks.stream().map(task -> task + " CANCELLED").toList());
  }

  /** The order of xids is not the order of the changes. */
  @Test
  void changes_of_one_task_come_in_the_order_of_their_commits_whatever_their_xids() {
    var task = store.submit(LiveStore.RETRIES);
    var other = store.submit(LiveStore.RETRIES);
    var worker = store.newWorker();
    List<Event> read = new ArrayList<>();
    try (Handle b = store.jdbi().open();
        Handle c = store.jdbi().open()) {
      Moves.begin(b);
      Moves.begin(c);
      store.steering.cancelTask(other, "me");
      var dispatch = store.claim(worker, task);
      store.results.write(List.of(store.refused(worker, dispatch)));
      var early = Drained.of(feed, begin, 10);
      assertThat(early.path(task)).isIn("", "SCHEDULED");
      read.addAll(early.events());
      Moves.cancel(b, task, state(task));
      b.commit();
      assertThat(Drained.of(feed, early.next(), 10)).as("c is open").isEqualTo(nothing(early));
      c.rollback();
      read.addAll(Drained.whole(store.rows(), feed, early.next()).events());
    }
    assertThat(new Drained(read, begin).path(task)).isEqualTo(store.path(task));
    assertThat(store.path(task)).startsWith("SCHEDULED DISPATCHED ").endsWith(" CANCELLED");
  }

  @Test
  void two_readers_with_other_limits_read_the_same() {
    var worker = store.newWorker();
    for (int i = 0; i < 50; i++) {
      var dispatch = store.claim(worker, store.submit(LiveStore.RETRIES));
      store.results.write(List.of(store.exited(worker, dispatch, 0)));
    }
    store
        .rows()
        .run(
            "INSERT INTO feed (tasks, runs, task_states) SELECT array_agg(id), array_agg(run_id),"
                + " array_agg(state) FROM task");
    var all = Drained.whole(store.rows(), feed, begin);
    assertThat(all.events()).hasSize(200).doesNotHaveDuplicates().isSortedAccordingTo(byId());
    var other = new PostgresFeed(store.jdbi());
    for (int limit : List.of(1, 7, 49, 200)) {
      Drained.whole(store.rows(), other, begin);
      assertThat(Drained.of(other, begin, limit)).isEqualTo(all);
    }
    var middle = all.events().get(170).id();
    assertThat(Drained.of(other, middle, 7).events()).isEqualTo(all.events().subList(171, 200));
  }

  /** A submit of 100,000 tasks is one row. */
  @Test
  void page_of_a_large_row_costs_the_page_and_not_the_row() {
    var end = bigRows(1, 100_000);
    var took = new ArrayList<Duration>();
    for (int page : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 95, 96, 97, 98, 99, 100}) {
      long start = System.nanoTime();
      var answer = (Events) feed.read(new Cursor(end, (page - 1) * 1000), 1000);
      took.add(Duration.ofNanos(System.nanoTime() - start));
      assertThat(answer.events()).hasSize(1000);
      assertThat(answer.events().getFirst().id()).isEqualTo(new Cursor(end, (page - 1) * 1000 + 1));
      assertThat(answer.events().getLast().id()).isEqualTo(new Cursor(end, page * 1000));
    }
    assertThat(((Events) feed.read(new Cursor(end, 100_000), 1000)).events()).isEmpty();
    // Whole rows took 184 ms for each page on a busy machine.
    took.sort(Comparator.naturalOrder());
    assertThat(took.get(8)).isLessThan(Duration.ofMillis(100));
  }

  @Test
  void read_takes_no_more_events_than_its_limit_whatever_the_rows_have() {
    bigRows(12, 2_000);
    var all = new ArrayList<Event>();
    Cursor next = begin;
    while (all.size() < 24_000) {
      long before = allocated();
      var answer = (Events) feed.read(next, 500);
      assertThat(allocated() - before).as("bytes of 500 events").isLessThan(4_000_000);
      assertThat(answer.events()).isNotEmpty().hasSizeLessThanOrEqualTo(500);
      all.addAll(answer.events());
      next = answer.next();
    }
    assertThat(all).hasSize(24_000).doesNotHaveDuplicates().isSortedAccordingTo(byId());
    assertThat(((Events) feed.read(next, 500)).events()).isEmpty();
  }

  /** Returns the id of the last row. */
  private long bigRows(int rows, int events) {
    store
        .rows()
        .run(
            "INSERT INTO feed (tasks, runs, task_states) SELECT array_agg(gen_random_uuid()),"
                + " array_agg(CAST(NULL AS uuid)), array_agg(CAST('SCHEDULED' AS task_state)) FROM"
                + " generate_series(1, %d) AS a, generate_series(1, %d) AS r (n) GROUP BY r.n"
                    .formatted(events, rows));
    long last = Long.parseLong(store.rows().text("SELECT max(id) FROM feed"));
    await().atMost(Duration.ofSeconds(30)).until(() -> feed.latest().batch() > last);
    return last;
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @Test
  void oldest_are_deleted_and_a_cursor_before_them_gets_a_reset() {
    store.submit(LiveStore.RETRIES);
    var first = Drained.whole(store.rows(), feed, begin);
    store.rows().run("UPDATE feed SET at = at - interval '6 h'");
    var kept = store.submit(LiveStore.RETRIES);
    var second = Drained.whole(store.rows(), feed, first.next());
    assertThat(forget(Duration.ofHours(7), 10)).isZero();
    assertThat(feed.read(begin, 10)).as("nothing was deleted").isInstanceOf(Events.class);

    assertThat(forget(Duration.ofHours(6), 10)).isEqualTo(1);
    assertThat(feed.read(begin, 10)).isEqualTo(new Reset(second.next()));
    assertThat(new PostgresFeed(store.jdbi()).read(begin, 10)).isInstanceOf(Reset.class);
    assertThat(Drained.of(feed, first.next(), 10)).as("read in time").isEqualTo(second);
    assertThat(((Events) feed.read(null, 10)).events()).as("the oldest").isEqualTo(second.events());
    assertThat(second.path(kept)).isEqualTo("SCHEDULED");
    assertThat(((Events) feed.read(feed.latest(), 10)).events()).isEmpty();
  }

  @Test
  void nothing_is_deleted_that_readers_could_not_pass() {
    var task = store.submit(LiveStore.RETRIES);
    var seen = Drained.whole(store.rows(), feed, begin);
    try (var open = store.jdbi().open()) {
      open.begin();
      Moves.cancel(open, task, TaskState.SCHEDULED);
      store.submit(LiveStore.RETRIES);
      store.rows().run("UPDATE feed SET at = at - interval '7 h'");
      assertThat(forget(Duration.ofHours(6), 10)).as("the first submit").isEqualTo(1);
      open.commit();
    }
    assertThat(Drained.whole(store.rows(), feed, seen.next()).events()).hasSize(2);
  }

  @Test
  void cursor_of_a_later_database_gets_a_reset() {
    store.submit(LiveStore.RETRIES);
    var end = Drained.whole(store.rows(), feed, begin).next();
    assertThat(feed.read(end, 10)).isEqualTo(new Events(List.of(), end));
    assertThat(feed.read(new Cursor(end.batch() + 1, 0), 10)).isEqualTo(new Reset(end));
  }

  @Test
  void database_that_went_back_under_a_living_server_resets_its_readers_and_loses_nothing() {
    for (int i = 0; i < 5; i++) {
      store.submit(LiveStore.RETRIES);
    }
    var end = Drained.whole(store.rows(), feed, begin).next();
    long kept = end.batch() - 4;
    store.rows().run("DELETE FROM feed WHERE id > " + kept);
    lastDrawn(kept);

    var from = feed.read(end, 10).next();
    assertThat(feed.read(end, 10)).isEqualTo(new Reset(from));
    assertThat(from.batch()).as("not where the lost database was").isEqualTo(kept + 1);
    store.submit(LiveStore.RETRIES);
    assertThat(Drained.whole(store.rows(), feed, from).events()).hasSize(1);
    lastDrawn(end.batch());
  }

  private void lastDrawn(long id) {
    store.rows().text("SELECT setval(pg_get_serial_sequence('feed', 'id'), %d)".formatted(id));
  }

  @Test
  void cursor_is_text() {
    assertThat(Cursor.parse("17-4")).contains(new Cursor(17, 4));
    assertThat(new Cursor(17, 4)).hasToString("17-4");
    for (String wrong : List.of("", "17", "17-", "-4", "a-1", "1-1-1", "9".repeat(30) + "-1")) {
      assertThat(Cursor.parse(wrong)).as(wrong).isEmpty();
    }
  }

  /** The cursor has not moved, so nothing is passed. */
  private static Drained nothing(Drained seen) {
    return new Drained(List.of(), seen.next());
  }

  private TaskState state(TaskId task) {
    return TaskState.valueOf(store.task(task, "state"));
  }

  private static Comparator<Event> byId() {
    return Comparator.comparing(Event::id);
  }

  private static List<String> states(List<Event> events) {
    return events.stream()
        .map(event -> ((TaskEvent) event).task() + " " + ((TaskEvent) event).state())
        .toList();
  }

  private int forget(Duration retention, int max) {
    return feed.forget(batch -> store.jdbi().inTransaction(batch::applyAsInt), retention, max);
  }
}
