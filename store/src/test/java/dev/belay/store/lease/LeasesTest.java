package dev.belay.store.lease;

import static dev.belay.store.fixture.Race.result;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.belay.engine.port.LeaseLost;
import dev.belay.engine.port.LeaseStore.Acquired;
import dev.belay.engine.port.LeaseStore.Answer;
import dev.belay.engine.port.LeaseStore.NotDue;
import dev.belay.engine.port.LeaseStore.Outcome;
import dev.belay.engine.port.LeaseToken;
import dev.belay.store.fixture.Race;
import dev.belay.store.fixture.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeasesTest {

  private static final String JOB = "sweep";
  private static final Duration PERIOD = Duration.ofHours(1);
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(5);

  private final StoreFixture store = new StoreFixture();
  private final PostgresLeases leases = new PostgresLeases(store.jdbi());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void a_new_job_is_due_and_then_once_a_period() {
    LeaseToken first = acquired("a");
    assertThat(first.value()).isEqualTo(1);
    assertThat(left("b")).as("until the lease ends").isBetween(Duration.ofSeconds(25), TTL);
    assertThat(leases.finish(first, PERIOD, Outcome.DONE)).isTrue();
    assertThat(left("a")).isBetween(Duration.ofMinutes(59), PERIOD);
    assertThat(left("b")).isBetween(Duration.ofMinutes(59), PERIOD);
    passes(PERIOD);
    assertThat(acquired("b").value()).isEqualTo(2);
  }

  @Test
  void a_run_that_lasts_for_several_periods_counts_for_all_of_them() {
    LeaseToken token = acquired("a");
    store.run("UPDATE job_lease SET next_due_at = belay_now() - interval '150 min'");
    String due = store.text("SELECT next_due_at + interval '3 h' FROM job_lease");
    assertThat(leases.finish(token, PERIOD, Outcome.DONE)).isTrue();
    assertThat(store.text("SELECT next_due_at FROM job_lease")).isEqualTo(due);
  }

  @Test
  void of_many_who_ask_at_once_one_acquires() {
    acquired("a");
    expire();
    try (var race = new Race(store, "SELECT FROM job_lease FOR UPDATE")) {
      List<Future<Answer>> asked = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String name = "b" + i;
        asked.add(race.next(() -> leases.acquire(JOB, name, PERIOD, TTL)));
      }
      race.release();
      assertThat(asked.stream().map(Race::result).filter(Acquired.class::isInstance)).hasSize(1);
    }
    assertThat(store.text("SELECT token FROM job_lease")).isEqualTo("2");
  }

  @Test
  void the_job_of_a_dead_holder_is_taken_over_after_its_ttl() {
    LeaseToken dead = acquired("a");
    assertThat(leases.acquire(JOB, "b", PERIOD, TTL)).isInstanceOf(NotDue.class);
    expire();
    var next = (Acquired) leases.acquire(JOB, "b", PERIOD, TTL);
    assertThat(next.takenFrom()).contains("a");
    assertThat(leases.renew(dead)).isEmpty();
    assertThat(leases.finish(dead, PERIOD, Outcome.DONE)).isFalse();
    assertThat(store.text("SELECT holder FROM job_lease")).isEqualTo("b");
    assertThat(leases.finish(next.token(), PERIOD, Outcome.DONE)).isTrue();
  }

  @Test
  void the_same_replica_after_its_restart_has_another_token() {
    LeaseToken before = acquired("a");
    expire();
    LeaseToken after = acquired("a");
    assertThat(leases.renew(before)).isEmpty();
    assertThat(leases.renew(after)).isPresent();
  }

  @Test
  void a_batch_of_an_earlier_holder_writes_nothing() {
    LeaseToken frozen = acquired("a");
    assertThat(batch(frozen)).isEqualTo(1);
    expire();
    LeaseToken next = acquired("b");
    assertThatThrownBy(() -> batch(frozen)).isInstanceOf(LeaseLost.class);
    assertThat(batch(next)).isEqualTo(1);
    assertThat(store.count("alert")).isEqualTo(2);
  }

  @Test
  void an_expired_lease_lets_no_batch_in_until_it_is_renewed() {
    LeaseToken token = acquired("a");
    expire();
    assertThatThrownBy(() -> batch(token)).isInstanceOf(LeaseLost.class);
    assertThat(leases.renew(token)).isPresent();
    assertThat(batch(token)).isEqualTo(1);
  }

  @Test
  void who_takes_over_waits_for_the_batch_that_is_under_way_and_a_renewal_does_not() {
    LeaseToken slow = acquired("a");
    try (var batch = store.jdbi().open()) {
      batch.begin();
      LeaseFence.enter(batch, slow);
      assertTimeoutPreemptively(SOON, () -> assertThat(leases.renew(slow)).isPresent());
      expire();
      try (var race = new Race(store, "SELECT 1")) {
        Future<Answer> next = race.next(() -> leases.acquire(JOB, "b", PERIOD, TTL));
        batch.execute("INSERT INTO alert (kind, detail, at) VALUES ('x', 'last', belay_now())");
        batch.commit();
        assertThat(result(next)).isInstanceOf(Acquired.class);
      }
    }
    assertThat(store.count("alert")).isEqualTo(1);
  }

  @Test
  void a_batch_that_waits_for_the_next_holder_writes_nothing() {
    LeaseToken frozen = acquired("a");
    String takeover =
        "UPDATE job_lease SET token = token + 1, holder = 'b' WHERE name = '%s'".formatted(JOB);
    try (var race = new Race(store, "SELECT FROM job_lease FOR UPDATE; " + takeover)) {
      Future<Integer> late = race.next(() -> batch(frozen));
      race.release();
      assertThatThrownBy(() -> result(late)).isInstanceOf(LeaseLost.class);
    }
    assertThat(store.count("alert")).isZero();
  }

  @Test
  void a_frozen_holder_does_not_keep_the_next_one_waiting() {
    LeaseToken frozen = acquired("a");
    try (var batch = store.jdbi().open()) {
      batch.begin();
      LeaseFence.enter(batch, frozen);
      expire();
      assertTimeoutPreemptively(SOON, () -> assertThat(acquired("b").value()).isEqualTo(2));
      assertThatThrownBy(() -> batch.execute("DELETE FROM alert")).isNotNull();
    }
  }

  @Test
  void a_failed_job_is_due_soon_and_then_later_and_later() {
    List<Duration> waits = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      LeaseToken token = acquired("a");
      assertThat(leases.finish(token, PERIOD, Outcome.FAILED)).isTrue();
      waits.add(left("b"));
      passes(PERIOD);
    }
    assertThat(waits.getFirst()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(waits.get(3)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(8));
    assertThat(waits.getLast()).isBetween(Duration.ofMinutes(59), PERIOD);
    leases.finish(acquired("a"), PERIOD, Outcome.DONE);
    assertThat(store.text("SELECT failures FROM job_lease")).isEqualTo("0");
  }

  @Test
  void an_abandoned_job_stays_due() {
    leases.finish(acquired("a"), PERIOD, Outcome.ABANDONED);
    assertThat(acquired("b").value()).isEqualTo(2);
  }

  /** A clock that steps back by a day moves all stored times a day ahead. */
  @Test
  void after_the_clock_stepped_back_the_job_runs_within_a_period() {
    leases.finish(acquired("a"), PERIOD, Outcome.DONE);
    stepBack("1 day");
    assertThat(left("b")).isBetween(Duration.ofMinutes(59), PERIOD);
    passes(PERIOD);
    acquired("b");
  }

  @Test
  void after_the_clock_stepped_back_a_dead_holder_is_replaced_within_its_ttl() {
    acquired("a");
    stepBack("1 day");
    assertThat(left("b")).isLessThanOrEqualTo(TTL);
    passes(TTL);
    assertThat(((Acquired) leases.acquire(JOB, "b", PERIOD, TTL)).takenFrom()).contains("a");
  }

  @Test
  void after_the_clock_stepped_back_a_living_holder_keeps_its_lease() {
    LeaseToken token = acquired("a");
    stepBack("1 day");
    left("b");
    assertThat(leases.renew(token)).isPresent();
    assertThat(batch(token)).isEqualTo(1);
    assertThat(leases.finish(token, PERIOD, Outcome.DONE)).isTrue();
    assertThat(left("b")).isLessThanOrEqualTo(PERIOD);
  }

  @Test
  void a_shorter_period_applies_to_the_run_that_is_already_planned() {
    leases.finish(acquired("a"), PERIOD, Outcome.DONE);
    var minute = Duration.ofMinutes(1);
    assertThat(((NotDue) leases.acquire(JOB, "b", minute, TTL)).left()).isLessThanOrEqualTo(minute);
  }

  @Test
  void the_list_shows_who_holds_what_and_hides_a_holder_whose_lease_is_over() {
    LeaseToken token = acquired("a");
    JobLease held = leases.list().getFirst();
    assertThat(held.holder()).isEqualTo("a");
    assertThat(held.expiresAt()).isAfter(held.acquiredAt());
    assertThat(held.outcome()).isNull();
    leases.finish(token, PERIOD, Outcome.DONE);
    JobLease done = leases.list().getFirst();
    assertThat(done.holder()).isNull();
    assertThat(done.outcome()).isEqualTo("done");
    assertThat(done.doneAt()).isEqualTo(done.finishedAt());
    passes(PERIOD);
    acquired("b");
    expire();
    assertThat(leases.list().getFirst().holder()).isNull();
  }

  private LeaseToken acquired(String replica) {
    return ((Acquired) leases.acquire(JOB, replica, PERIOD, TTL)).token();
  }

  private Duration left(String replica) {
    return ((NotDue) leases.acquire(JOB, replica, PERIOD, TTL)).left();
  }

  private int batch(LeaseToken token) {
    return LeaseFence.of(store.jdbi(), token)
        .run(
            handle ->
                handle.execute(
                    "INSERT INTO alert (kind, detail, at) VALUES ('x', ?, belay_now())",
                    token.holder()));
  }

  private void expire() {
    store.run("UPDATE job_lease SET expires_at = belay_now() - interval '1 ms'");
  }

  private void passes(Duration time) {
    shift("- interval '%d s'".formatted(time.toSeconds() + 1));
  }

  private void stepBack(String time) {
    shift("+ interval '" + time + "'");
  }

  private void shift(String by) {
    store.run(
        Stream.of(
                "acquired_at",
                "renewed_at",
                "expires_at",
                "next_due_at",
                "finished_at",
                "done_at",
                "created_at")
            .map(column -> "%s = %s %s".formatted(column, column, by))
            .collect(joining(", ", "UPDATE job_lease SET ", "")));
  }
}
