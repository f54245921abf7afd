package dev.belay.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.read.Page.Window;
import dev.belay.store.schedule.Trigger.Fire;
import dev.belay.store.schedule.TriggerReads.FireFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TriggerReadsTest {

  private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");

  private final StoreFixture store = new StoreFixture();
  private final Ledger ledger = new Ledger(store);
  private final TriggerReads reads = new TriggerReads(store.jdbi());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void triggers_are_listed_by_workflow_and_name_in_pages() {
    ledger.trigger("b", "two", "timed");
    ledger.trigger("b", "one", "timed");
    ledger.trigger("a", "one", "event");
    assertThat(names(null, 10)).containsExactly("a one", "b one", "b two");
    assertThat(names("b", 10)).containsExactly("b one", "b two");
    assertThat(names("c", 10)).isEmpty();
    assertThat(reads.triggers("other", null, new Window(null, 10)).items()).isEmpty();
    var first = reads.triggers("default", null, new Window(null, 2));
    assertThat(first.items()).hasSize(2);
    var second = reads.triggers("default", null, new Window(first.next(), 2));
    assertThat(second.items()).extracting(one -> one.name().name()).containsExactly("two");
    assertThat(second.next()).isNull();
  }

  @Test
  void trigger_has_its_pauses_and_the_last_row_of_its_ledger() {
    UUID id = ledger.trigger("w", "nightly", "timed");
    ledger.fired(id, 5);
    ledger.skipped(id, 4, 1, "overlap");
    store.run(
        "INSERT INTO workflow_control (tenant, name, paused_at, paused_by) VALUES ('default', 'w', "
            + Ledger.ago(3)
            + ", 'ann')");
    var trigger = reads.trigger("default", "w", "nightly").orElseThrow();
    assertThat(reads.triggers("default", "w", new Window(null, 1)).items())
        .containsExactly(trigger);
    assertThat(trigger.pauses()).isEqualTo(new Trigger.Pauses(null, null, minutesAgo(3), "ann"));
    assertThat(trigger.span().next()).isEqualTo(minutesAgo(-1));
    assertThat(trigger.spec().text()).contains("every");
    Fire last = Objects.requireNonNull(trigger.last());
    assertThat(last.reason()).isEqualTo("overlap");
    assertThat(last.late()).isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void removed_trigger_is_found_by_its_name_but_not_listed() {
    UUID id = ledger.trigger("w", "old", "timed");
    store.run("UPDATE trigger_version SET until_at = " + Ledger.ago(10));
    assertThat(names("w", 10)).isEmpty();
    assertThat(reads.removed("default", "w", 10))
        .containsExactly(new Trigger.Removed(id, "old", minutesAgo(10)));
    assertThat(reads.trigger("default", "w", "old").orElseThrow().span().until())
        .isEqualTo(minutesAgo(10));
    ledger.version(id, "timed", null);
    assertThat(reads.removed("default", "w", 10)).isEmpty();
    assertThat(reads.trigger("default", "w", "old").orElseThrow().span().until()).isNull();
    assertThat(names("w", 10)).containsExactly("w old");
  }

  @Test
  void ledger_of_a_workflow_is_read_in_pages_the_newest_instant_first() {
    UUID one = ledger.trigger("w", "one", "timed");
    UUID two = ledger.trigger("w", "two", "timed");
    UUID other = ledger.trigger("v", "one", "timed");
    for (int at = 1; at <= 5; at++) {
      ledger.fired(one, at);
      ledger.skipped(two, at, at, "missed");
      ledger.fired(other, at);
    }
    var all = read(filter(null, null), reads, 3);
    assertThat(all)
        .extracting(fire -> fire.trigger() + minutes(fire))
        .containsExactly(
            "two1", "one1", "two2", "one2", "two3", "one3", "two4", "one4", "two5", "one5");
    assertThat(read(filter("one", null), reads, 2)).hasSize(5);
    assertThat(read(filter(null, "skipped"), reads, 2))
        .extracting(Fire::trigger)
        .containsOnly("two")
        .hasSize(5);
    assertThat(read(filter(null, "coalesced"), reads, 2)).isEmpty();
  }

  /** Each page looks at two rows of a trigger, and none is lost or read twice. */
  @Test
  void rare_outcome_is_found_by_looking_at_a_few_rows_for_each_page() {
    UUID one = ledger.trigger("w", "one", "timed");
    UUID two = ledger.trigger("w", "two", "timed");
    for (int at = 1; at <= 9; at++) {
      if (at % 4 == 0) {
        ledger.skipped(one, at, at, "missed");
      } else {
        ledger.fired(one, at);
      }
    }
    ledger.skipped(two, 7, 7, "missed");
    ledger.skipped(two, 30, 30, "missed");
    assertThat(read(filter(null, "skipped"), new TriggerReads(store.jdbi(), 2), 5))
        .extracting(fire -> fire.trigger() + minutes(fire))
        .containsExactly("one4", "two7", "one8", "two30");
  }

  @Test
  void cursor_that_is_none_is_refused() {
    var cursor = new FireCursor(NOON, new UUID(1, 2));
    assertThat(FireCursor.parse(cursor.toString())).hasValue(cursor);
    assertThat(FireCursor.parse("x")).isEmpty();
    assertThat(FireCursor.parse("x_y")).isEmpty();
    assertThat(FireCursor.parse(NOON + "_y")).isEmpty();
  }

  private static FireFilter filter(@Nullable String trigger, @Nullable String outcome) {
    return new FireFilter("default", "w", trigger, outcome);
  }

  private static List<Fire> read(FireFilter filter, TriggerReads reads, int limit) {
    var all = new ArrayList<Fire>();
    FireCursor cursor = null;
    int pages = 0;
    do {
      var page = reads.fires(filter, cursor, limit);
      assertThat(page.items().size()).isLessThanOrEqualTo(limit);
      all.addAll(page.items());
      cursor = page.next();
      pages++;
    } while (cursor != null && pages < 50);
    assertThat(cursor).isNull();
    return all;
  }

  private List<String> names(@Nullable String workflow, int limit) {
    return reads.triggers("default", workflow, new Window(null, limit)).items().stream()
        .map(one -> one.name().workflow() + " " + one.name().name())
        .toList();
  }

  private static Instant minutesAgo(int minutes) {
    return NOON.minus(Duration.ofMinutes(minutes));
  }

  private static long minutes(Fire fire) {
    return Duration.between(fire.at(), NOON).toMinutes();
  }
}
