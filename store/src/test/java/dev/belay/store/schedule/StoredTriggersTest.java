package dev.belay.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoredTriggersTest {

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);

  @AfterEach
  void close() {
    store.close();
  }

  /** The file changed an hour ahead, and the clock was set back before the leader looked. */
  @Test
  void instants_that_an_ended_version_still_decides_are_not_those_of_the_next_one() {
    register("5m");
    store
        .rows()
        .run(
            "UPDATE trigger_version SET until_at = belay_now() + interval '1 hour',"
                + " due_at = belay_now() + interval '5 min'");
    register("10m");
    assertThat(later()).isEqualTo("true");
    register("15m");
    assertThat(later()).isEqualTo("true");
  }

  @Test
  void version_that_ended_with_nothing_left_to_decide_delays_nothing() {
    register("5m");
    store
        .rows()
        .run("UPDATE trigger_version SET until_at = from_at + interval '1 hour', due_at = NULL");
    register("10m");
    assertThat(later()).isEqualTo("false");
  }

  private void register(String period) {
    planning.register(
        "name: w\ntriggers: [{name: often, every: %s}]\ntasks: [{name: a, command: [x]}]"
            .formatted(period));
  }

  /** Whether the live version begins after the end of the first. */
  private String later() {
    return store
        .rows()
        .text(
            "SELECT CAST(live.next_at > (SELECT max(until_at) FROM trigger_version) AS text) FROM"
                + " trigger_version live WHERE until_at IS NULL");
  }
}
