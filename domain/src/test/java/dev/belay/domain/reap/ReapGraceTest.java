package dev.belay.domain.reap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReapGraceTest {

  private final ReapGrace reapGrace = new ReapGrace(ReapSettings.Grace.DEFAULT);
  private long seconds;
  private Instant database = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void new_leader_waits_for_half_a_minute() {
    reapGrace.begin(nanos(), true);
    for (int i = 0; i < 29; i++) {
      pass(1, 1);
    }
    assertThat(reapGrace.grace(nanos(), Duration.ofDays(1))).contains(GraceReason.ELECTION);
    pass(1, 1);
    assertThat(isCalm()).isTrue();
    reapGrace.begin(nanos(), true);
    assertThat(isCalm()).as("it leads anew").isFalse();
  }

  @Test
  void leader_that_inherits_nothing_need_not_wait() {
    reapGrace.begin(nanos(), false);
    assertThat(isCalm()).isTrue();
    pass(1, 1);
    pass(1, 60);
    assertThat(isCalm()).as("but a step counts").isFalse();
  }

  @Test
  void database_that_does_not_answer_steadily_begins_the_grace_anew() {
    calm();
    assertThat(reapGrace.grace(nanos(), Duration.ZERO)).isPresent();
    assertThat(reapGrace.grace(nanos(), Duration.ofSeconds(29))).contains(GraceReason.DATABASE_GAP);
    assertThat(reapGrace.grace(nanos(), Duration.ofSeconds(30))).isEmpty();
  }

  @Test
  void step_of_the_clock_begins_the_grace_anew() {
    calm();
    pass(1, 6);
    assertThat(isCalm()).as("five seconds are no step").isTrue();
    pass(1, 7);
    assertThat(reapGrace.grace(nanos(), Duration.ZERO)).contains(GraceReason.CLOCK_STEP);
    calm();
    pass(1, -60);
    assertThat(isCalm()).as("backwards, too").isFalse();
  }

  @Test
  void step_shortly_before_the_election_counts_as_every_replica_watches_the_clock() {
    pass(1, 1);
    pass(1, 8);
    reapGrace.begin(nanos(), false);
    assertThat(reapGrace.grace(nanos(), Duration.ofDays(1))).contains(GraceReason.CLOCK_STEP);
  }

  @Test
  void slow_answer_does_not_hide_a_step() {
    calm();
    // the clock stepped by 7 s, and the answer of that moment took 3 s to arrive
    slow(1, 8, 3);
    assertThat(reapGrace.grace(nanos(), Duration.ofDays(1))).contains(GraceReason.CLOCK_STEP);
    calm();
    slow(1, 1, 3);
    pass(1, 4);
    assertThat(isCalm()).as("a slow answer alone is no step").isTrue();
  }

  private void slow(int ours, int theirs, int took) {
    seconds += ours;
    long asked = nanos();
    seconds += took;
    database = database.plusSeconds(theirs);
    reapGrace.look(asked, nanos(), database);
  }

  private void calm() {
    reapGrace.begin(nanos(), true);
    pass(1, 1);
    for (int i = 0; i < 30; i++) {
      pass(1, 1);
    }
    assertThat(isCalm()).isTrue();
  }

  private void pass(int ours, int theirs) {
    seconds += ours;
    database = database.plusSeconds(theirs);
    reapGrace.look(nanos(), nanos(), database);
  }

  private boolean isCalm() {
    return reapGrace.grace(nanos(), Duration.ofDays(1)).isEmpty();
  }

  private long nanos() {
    return Duration.ofSeconds(seconds).toNanos();
  }
}
