package dev.belay.store.dispatch;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static dev.belay.store.fixture.Race.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.steer.Terminate;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Race;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** PENDING tasks become eligible when their time has come. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PromotionTest {

  private final LiveStore store = new LiveStore();

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
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
