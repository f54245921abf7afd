package dev.belay.store.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.engine.lease.JobMeters;
import dev.belay.engine.lease.JobRunner;
import dev.belay.engine.lease.PeriodicJob;
import dev.belay.engine.port.LeaseStore;
import dev.belay.engine.port.LeaseStore.Outcome;
import dev.belay.engine.port.LeaseToken;
import dev.belay.store.fixture.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Two replicas with runners of the same job, on PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class JobRunnerTest {

  private static final Duration PERIOD = Duration.ofHours(1);
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final Duration THIRD = Duration.ofSeconds(10);
  private static final int BATCHES = 3;

  private final StoreFixture store = new StoreFixture();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private final List<String> overdue = new CopyOnWriteArrayList<>();
  private long nanos;

  @BeforeEach
  void clear() {
    store.clear();
    ended.clear();
    overdue.clear();
    nanos = 0;
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void each_period_is_run_once_by_one_of_two_replicas() {
    var a = new Machine("a");
    var b = new Machine("b");
    for (int period = 1; period <= 4; period++) {
      for (int step = 0; step < 10; step++) {
        a.runner.runOnce();
        b.runner.runOnce();
      }
      assertThat(ended).hasSize(period).allMatch(end -> end.endsWith(" done"));
      assertThat(store.count("alert")).as("batches").isEqualTo((long) period * BATCHES);
      nextPeriod();
    }
  }

  @Test
  void many_replicas_at_full_speed_never_overlap_and_run_each_period_once() throws Exception {
    store.run("CREATE TABLE IF NOT EXISTS mark_of_job (at timestamptz)", "TRUNCATE mark_of_job");
    var over = new AtomicBoolean();
    var period = Duration.ofMillis(200);
    List<Thread> threads = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      PeriodicJob.Work work =
          token -> {
            LeaseFence.of(store.jdbi(), token)
                .run(handle -> handle.execute("INSERT INTO mark_of_job VALUES (belay_now())"));
            return Optional.empty();
          };
      var job = new PeriodicJob("fast", period, period, work);
      var runner =
          new JobRunner(
              job, name, new PostgresLeases(store.jdbi()), System::nanoTime, new Heard(name));
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!over.get()) {
                      runner.runOnce();
                    }
                  }));
    }
    Thread.sleep(3_000);
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    long slots =
        Long.parseLong(
            store.text(
                "SELECT count(DISTINCT floor(extract(epoch FROM at - created_at) / 0.2)) FROM"
                    + " mark_of_job, job_lease"));
    assertThat(store.count("mark_of_job")).as("one run in each period").isEqualTo(slots);
    assertThat(slots).isBetween(8L, 17L);
    store.run("DROP TABLE mark_of_job");
  }

  @Test
  void the_run_of_a_killed_replica_is_done_by_another_after_the_ttl() {
    var killed = new Machine("a");
    var b = new Machine("b");
    killed.runner.runOnce();
    killed.runner.runOnce();
    assertThat(store.count("alert")).isEqualTo(1);
    b.runner.runOnce();
    assertThat(b.runner.isHolding()).isFalse();
    expire();
    steps(b, BATCHES + 1);
    assertThat(ended).containsExactly("b done");
    assertThat(store.count("alert")).isEqualTo(1 + BATCHES);
  }

  @Test
  void a_frozen_replica_that_wakes_writes_nothing() {
    var frozen = new Machine("a");
    var b = new Machine("b");
    frozen.runner.runOnce();
    frozen.runner.runOnce();
    expire();
    b.runner.runOnce();
    // It wakes before its own clock tells it that its lease is over.
    frozen.runner.runOnce();
    assertThat(ended).containsExactly("a lost");
    assertThat(store.text("SELECT string_agg(detail, ' ') FROM alert")).isEqualTo("a");
    assertThat(store.text("SELECT holder FROM job_lease")).isEqualTo("b");
  }

  @Test
  void a_frozen_replica_that_wakes_at_its_end_does_not_end_the_run_of_another() {
    var frozen = new Machine("a");
    var b = new Machine("b");
    steps(frozen, BATCHES);
    // Its last batch is done; it freezes before it writes so.
    frozen.failing = true;
    assertThatThrownBy(frozen.runner::runOnce).isInstanceOf(IllegalStateException.class);
    expire();
    b.runner.runOnce();
    frozen.failing = false;
    frozen.runner.runOnce();
    assertThat(ended).containsExactly("a lost");
    assertThat(store.text("SELECT holder FROM job_lease")).isEqualTo("b");
  }

  @Test
  void a_renewal_that_finds_another_holder_stops_the_run() {
    var a = new Machine("a");
    a.runner.runOnce();
    expire();
    new Machine("b").runner.runOnce();
    a.runner.renewOnce();
    a.runner.runOnce();
    assertThat(ended).containsExactly("a lost");
    assertThat(store.count("alert")).isZero();
  }

  @Test
  void renewals_keep_a_long_run() {
    var a = new Machine("a");
    a.runner.runOnce();
    for (int i = 0; i < 20; i++) {
      nanos += THIRD.toNanos();
      assertThat(a.runner.renewOnce()).isEqualTo(THIRD);
    }
    steps(a, BATCHES);
    assertThat(ended).containsExactly("a done");
  }

  @Test
  void three_failed_renewals_in_a_row_abandon_the_run() {
    var a = new Machine("a");
    steps(a, 2);
    a.failing = true;
    a.runner.renewOnce();
    a.runner.renewOnce();
    a.failing = false;
    a.runner.renewOnce();
    a.failing = true;
    a.runner.renewOnce();
    a.runner.renewOnce();
    assertThat(a.runner.isHolding()).isTrue();
    a.runner.runOnce();
    assertThat(store.count("alert")).as("two failures are not enough").isEqualTo(2);
    a.runner.renewOnce();
    a.failing = false;
    a.runner.runOnce();
    assertThat(ended).containsExactly("a abandoned");
    assertThat(a.runner.isHolding()).isFalse();
    assertThat(store.count("alert")).isEqualTo(2);
  }

  @Test
  void a_renewal_that_hangs_abandons_the_run_by_the_replicas_own_clock() {
    var a = new Machine("a");
    steps(a, 2);
    nanos += TTL.toNanos();
    a.runner.runOnce();
    assertThat(ended).containsExactly("a abandoned");
    assertThat(store.count("alert")).isEqualTo(1);
  }

  @Test
  void a_long_batch_does_not_keep_the_lease_from_being_renewed() throws Exception {
    var inBatch = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    PeriodicJob.Work work =
        token -> {
          LeaseFence.of(store.jdbi(), token)
              .run(
                  handle -> {
                    inBatch.countDown();
                    return await(go);
                  });
          return Optional.empty();
        };
    var a = new Machine("a", work);
    a.runner.runOnce();
    var batch = Thread.ofVirtual().start(a.runner::runOnce);
    inBatch.await();
    String before = store.text("SELECT renewed_at FROM job_lease");
    a.runner.renewOnce();
    assertThat(store.text("SELECT renewed_at FROM job_lease")).isNotEqualTo(before);
    go.countDown();
    batch.join();
    assertThat(ended).containsExactly("a done");
  }

  @Test
  void work_that_throws_is_a_failed_run_and_due_again_soon() {
    var a =
        new Machine(
            "a",
            token -> {
              throw new IllegalStateException("disk full");
            });
    steps(a, 2);
    assertThat(ended).containsExactly("a failed");
    assertThat(a.runner.runOnce()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(store.text("SELECT outcome FROM job_lease")).isEqualTo("failed");
  }

  @Test
  void a_pause_of_the_work_is_kept_and_the_lease_is_watched_during_it() {
    var a = new Machine("a", token -> Optional.of(Duration.ofMinutes(5)));
    steps(a, 1);
    assertThat(a.runner.runOnce()).isEqualTo(THIRD);
    nanos += THIRD.toNanos();
    assertThat(a.runner.runOnce()).isEqualTo(THIRD);
    nanos += TTL.toNanos();
    a.runner.runOnce();
    assertThat(ended).containsExactly("a abandoned");
  }

  @Test
  void a_replica_that_stops_lets_another_go_on_at_once() {
    var a = new Machine("a");
    steps(a, 2);
    a.runner.release();
    steps(new Machine("b"), BATCHES + 1);
    assertThat(ended).containsExactly("a abandoned", "b done");
  }

  @Test
  void a_job_that_nobody_has_done_for_three_periods_is_overdue() {
    var a = new Machine("a");
    var b = new Machine("b", token -> Optional.of(Duration.ZERO));
    steps(a, BATCHES + 1);
    store.run(
        "UPDATE job_lease SET done_at = belay_now() - interval '179 min', next_due_at ="
            + " belay_now()");
    b.runner.runOnce();
    b.runner.renewOnce();
    assertThat(overdue).isEmpty();
    store.run("UPDATE job_lease SET done_at = belay_now() - interval '181 min'");
    b.runner.renewOnce();
    assertThat(overdue).as("it has not watched for so long itself").isEmpty();
    nanos += PERIOD.multipliedBy(3).toNanos() + 1;
    a.runner.runOnce();
    assertThat(overdue).containsExactly("a");
    assertThat(a.runner.sinceDone()).isGreaterThan(PERIOD.multipliedBy(3));
  }

  @Test
  void a_run_survives_a_short_outage_and_abandons_in_a_long_one() {
    try (var away = new StoreFixture()) {
      var leases = new PostgresLeases(away.jdbi());
      var job = new PeriodicJob("sweep", PERIOD, TTL, token -> Optional.of(Duration.ZERO));
      var runner = new JobRunner(job, "a", leases, () -> nanos, new Heard("a"));
      runner.runOnce();
      away.takeAway();
      runner.renewOnce();
      runner.runOnce();
      assertThat(ended).isEmpty();
      runner.renewOnce();
      runner.renewOnce();
      runner.runOnce();
      assertThat(ended).containsExactly("a abandoned");
      assertThatThrownBy(runner::runOnce).as("the loop tries again").isNotNull();
    }
  }

  private static void steps(Machine machine, int steps) {
    for (int i = 0; i < steps; i++) {
      machine.runner.runOnce();
    }
  }

  private static int await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private void expire() {
    store.run("UPDATE job_lease SET expires_at = belay_now() - interval '1 ms'");
  }

  private void nextPeriod() {
    store.run("UPDATE job_lease SET next_due_at = belay_now()");
  }

  /** Three batches, each of which leaves a row with the name of the replica. */
  private final class Batches implements PeriodicJob.Work {
    private long token;
    private int done;

    @Override
    public Optional<Duration> step(LeaseToken now) {
      if (now.value() != token) {
        token = now.value();
        done = 0;
      }
      LeaseFence.of(store.jdbi(), now)
          .run(
              handle ->
                  handle.execute(
                      "INSERT INTO alert (kind, detail, at) VALUES ('x', ?, belay_now())",
                      now.holder()));
      return ++done < BATCHES ? Optional.of(Duration.ZERO) : Optional.empty();
    }
  }

  /** A replica whose way to the leases can fail. */
  private final class Machine implements LeaseStore {
    private final PostgresLeases leases = new PostgresLeases(store.jdbi());
    private final JobRunner runner;
    private boolean failing;

    Machine(String name) {
      this(name, new Batches());
    }

    Machine(String name, PeriodicJob.Work work) {
      var job = new PeriodicJob("sweep", PERIOD, TTL, work);
      this.runner = new JobRunner(job, name, this, () -> nanos, new Heard(name));
    }

    private PostgresLeases way() {
      if (failing) {
        throw new IllegalStateException("no way to the database");
      }
      return leases;
    }

    @Override
    public Answer acquire(String job, String holder, Duration period, Duration ttl) {
      return way().acquire(job, holder, period, ttl);
    }

    @Override
    public Optional<Duration> renew(LeaseToken token) {
      return way().renew(token);
    }

    @Override
    public boolean finish(LeaseToken token, Duration period, Outcome outcome) {
      return way().finish(token, period, outcome);
    }
  }

  private final class Heard implements JobMeters {
    private final String replica;

    Heard(String replica) {
      this.replica = replica;
    }

    @Override
    public void ran(String job, Outcome outcome, Duration took) {
      ended.add(replica + " " + outcome.word());
    }

    @Override
    public void overdue(PeriodicJob job) {
      overdue.add(replica);
    }
  }
}
