package dev.belay.store.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.fixture.StoreFixture;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AlertsTest {

  private final StoreFixture store = new StoreFixture();
  private final Alerts alerts = new Alerts(store.jdbi());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void same_alert_is_raised_again_only_after_a_while() {
    assertThat(raise("held", "6 of 9 workers")).isTrue();
    assertThat(raise("held", "6 of 9 workers")).isFalse();
    assertThat(raise("held", "7 of 9 workers")).isTrue();
    assertThat(raise("other", "6 of 9 workers")).isTrue();
    store.run("UPDATE alert SET at = at - interval '5 min'");
    assertThat(raise("held", "6 of 9 workers")).isTrue();
    assertThat(store.count("alert")).isEqualTo(4);
  }

  @Test
  void detail_that_is_too_long_or_cannot_be_stored_is_cut() {
    raise("held", "a\0b" + "x".repeat(2 * Alerts.DETAIL_MAX_CHARS));
    var detail = alerts.list(null, 1).items().getFirst().detail();
    assertThat(detail).startsWith("a bx").hasSize(Alerts.DETAIL_MAX_CHARS);
  }

  @Test
  void newest_comes_first_and_pages_go_on() {
    for (int i = 0; i < 5; i++) {
      raise("held", "number " + i);
    }
    var first = alerts.list(null, 3);
    var second = alerts.list(first.next(), 3);
    assertThat(first.items().stream().map(Alert::detail))
        .containsExactly("number 4", "number 3", "number 2");
    assertThat(second.items().stream().map(Alert::detail)).containsExactly("number 1", "number 0");
    assertThat(second.next()).isNull();
  }

  @Test
  void old_ones_are_forgotten_some_at_a_time() {
    for (int i = 0; i < 3; i++) {
      raise("held", "number " + i);
    }
    store.run("UPDATE alert SET at = at - interval '31 d' WHERE detail <> 'number 2'");
    assertThat(forget(Duration.ofDays(30), 1)).isEqualTo(1);
    assertThat(forget(Duration.ofDays(30), 5)).isEqualTo(1);
    assertThat(alerts.list(null, 5).items()).hasSize(1);
  }

  private boolean raise(String kind, String detail) {
    return store.jdbi().inTransaction(handle -> Alerts.raise(handle, kind, detail));
  }

  private int forget(Duration retention, int max) {
    return store.jdbi().withHandle(handle -> Alerts.forget(handle, retention, max));
  }
}
