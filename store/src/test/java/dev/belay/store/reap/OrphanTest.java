package dev.belay.store.reap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.fixture.LiveStore;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs without any activity. */
class OrphanTest {

  private static final LiveStore store = new LiveStore();

  @AfterEach
  void clear() {
    store.clear();
  }

  @AfterAll
  static void close() {
    store.close();
  }

  @Test
  void run_in_which_nothing_goes_on_is_planned_again_and_fails_when_that_does_not_help() {
    var half = store.trigger();
    var stuck = store.trigger();
    var young = store.trigger();
    var marked = store.trigger();
    var held = store.trigger();
    store
        .rows()
        .run(
            "DELETE FROM mark WHERE run_id <> '" + marked + "'",
            "UPDATE run SET state = 'RUNNING', started_at = now() WHERE id = '" + stuck + "'",
            "UPDATE run SET reason = 'paused' WHERE id = '" + held + "'",
            "UPDATE run SET created_at = now() - interval '301 s',"
                + " started_at = started_at - interval '301 s' WHERE id <> '"
                + young
                + "'");
    look();
    assertThat(marks()).isEqualTo(sorted(half, stuck, marked));
    assertThat(store.rows().text("SELECT string_agg(kind, ' ') FROM recovery"))
        .isEqualTo("orphan_run orphan_run");

    store.rows().run("DELETE FROM mark WHERE run_id <> '" + marked + "'");
    look();
    assertThat(marks()).as("the planner has its turn").isEqualTo(sorted(marked));
    store
        .rows()
        .run(
            "UPDATE run SET orphan_noted_at = now() - interval '61 s'"
                + " WHERE orphan_noted_at IS NOT NULL");
    look();
    assertThat(
            store
                .rows()
                .text(
                    "SELECT string_agg(state || ' ' || coalesce(reason, ''), ',')"
                        + " FROM run WHERE id IN ('"
                        + half
                        + "', '"
                        + stuck
                        + "')"))
        .isEqualTo("FAILED orphaned,FAILED orphaned");
    assertThat(store.rows().text("SELECT count(*) FROM run WHERE state = 'FAILED'")).isEqualTo("2");
  }

  @Test
  void postponed_mark_is_no_sign_of_life() {
    var run = store.trigger();
    store
        .rows()
        .run(
            "UPDATE mark SET postponed = true",
            "UPDATE run SET created_at = now() - interval '301 s'");
    look();
    assertThat(
            store
                .rows()
                .text("SELECT orphan_noted_at IS NOT NULL FROM run WHERE id = '" + run + "'"))
        .isEqualTo("t");
  }

  private static void look() {
    Reapers.of(store, Reapers.RULES, System::nanoTime).runOnce();
  }

  private static String marks() {
    return store
        .rows()
        .text("SELECT coalesce(string_agg(run_id::text, ' ' ORDER BY run_id), '') FROM mark");
  }

  private static String sorted(Object... ids) {
    return Arrays.stream(ids).map(Object::toString).sorted().collect(Collectors.joining(" "));
  }
}
