package dev.belay.store.promise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LatenessTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration PROMISED = Duration.ofSeconds(1);

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);
  private final Lateness lateness = new Lateness(store.jdbi());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  private UUID trigger(String name) {
    var id = store.ids().next();
    store
        .rows()
        .run(
            "INSERT INTO trigger VALUES ('%s', 'default', 'w', '%s', belay_now())"
                .formatted(id, name));
    return id;
  }

  /** An instant that was decided this long ago, and so late. */
  private void fired(UUID trigger, Duration ago, Duration late, String reason) {
    store
        .rows()
        .run(
            """
            INSERT INTO fire (trigger_id, at, due_at, outcome, reason, run_id, decided_at)
            SELECT '%s', decided - interval '%s ms', decided - interval '%s ms', 'fired', %s, '%s', decided
            FROM (SELECT belay_now() - interval '%s ms' AS decided) AS clock\
            """
                .formatted(
                    trigger,
                    late.toMillis(),
                    late.toMillis(),
                    reason,
                    store.ids().next(),
                    ago.toMillis()));
  }

  @Test
  void without_an_instant_there_is_only_the_sum() {
    assertThat(lateness.triggers(DAY, PROMISED))
        .containsExactly(new TriggerLateness("", "", "", 0, null, null, null, 0));
  }

  @Test
  void triggers_are_listed_by_their_worst_instant() {
    var good = trigger("good");
    var bad = trigger("bad");
    for (int i = 0; i < 9; i++) {
      fired(good, Duration.ofMinutes(i), Duration.ofMillis(10 + i), "NULL");
    }
    fired(bad, Duration.ofMinutes(1), Duration.ofSeconds(3), "NULL");
    fired(bad, Duration.ofMinutes(2), Duration.ofHours(3), "'resumed'");
    fired(bad, DAY.plusMinutes(1), Duration.ofMinutes(5), "NULL");
    assertThat(lateness.triggers(DAY, PROMISED))
        .containsExactly(
            new TriggerLateness("", "", "", 10, 14L, 3_000L, 3_000L, 1),
            new TriggerLateness("default", "w", "bad", 1, 3_000L, 3_000L, 3_000L, 1),
            new TriggerLateness("default", "w", "good", 9, 14L, 18L, 18L, 0));
  }

  private RunId ended(String limits, String columns) {
    planning.registerOne("w", limits);
    var run = planning.trigger("w", 1).getFirst();
    planning.plan();
    planning.finish(run, "a", 0);
    planning.plan();
    store.rows().run("UPDATE run SET " + columns + " WHERE id = '" + run + "'");
    return run;
  }

  @Test
  void promises_count_what_was_kept_and_broken() {
    ended("{timeout: 1h}", "timed_out_at = NULL");
    var tooLong =
        ended(
            "{timeout: 1h}",
            "timeout_at = ended_at - interval '2500 ms', timed_out_at = ended_at - interval '2 s'");
    ended("{deadline: 1h}", "deadline_alerted_at = NULL");
    var overdue =
        ended(
            "{deadline: 1h}",
            "deadline_at = ended_at - interval '7 s', deadline_alerted_at = ended_at");
    var check = trigger("run.expect_by");
    for (String reason : new String[] {"met: 1", "met: 2", "paused", "missing"}) {
      store
          .rows()
          .run(
              """
              INSERT INTO fire (trigger_id, at, due_at, outcome, reason, decided_at)
              SELECT '%s', now, now, 'checked', '%s', now FROM (SELECT belay_now() AS now) AS clock\
              """
                  .formatted(check, reason));
    }
    assertThat(lateness.promises(DAY))
        .containsExactly(
            new KeptPromise("timeout", 1, 1, 2_500L, "w", tooLong.value()),
            new KeptPromise("deadline", 1, 1, 7_000L, "w", overdue.value()),
            new KeptPromise("expect_by", 2, 1, null, "w", null));
  }
}
