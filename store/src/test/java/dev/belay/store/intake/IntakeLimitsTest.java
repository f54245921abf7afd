package dev.belay.store.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Unique;
import dev.belay.domain.spec.Unique.OnConflict;
import dev.belay.domain.spec.Unique.Scope;
import dev.belay.domain.system.IntakeCount.Limit;
import dev.belay.domain.system.Tenant;
import dev.belay.domain.system.Tenant.SubmitRate;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.store.Sql;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.queue.PostgresQueues;
import dev.belay.store.system.Declaration;
import dev.belay.store.system.Declarations;
import dev.belay.store.system.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The limits of tenants hold whatever is submitted at once, and at how many replicas. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IntakeLimitsTest {

  private final StoreFixture store = new StoreFixture();
  private final TaskIntake intake = intake();
  private final TaskIntake otherReplica = intake();
  private final Declarations declarations = new Declarations(store.jdbi(), store.hints());

  private TaskIntake intake() {
    return new TaskIntake(
        store.jdbi(),
        store.ids(),
        store.hints(),
        new QueueCatalog(new PostgresQueues(store.jdbi()), System::nanoTime),
        Meters.NONE);
  }

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void a_tenant_without_limits_is_not_counted() {
    limit("data", null, null);
    assertThat(submit(intake, "data", 3)).isInstanceOf(Submission.Accepted.class);
    assertThat(store.count("tenant_intake")).isZero();
  }

  @Test
  void no_more_tasks_wait_than_the_tenant_may_have_and_others_are_not_held_up() {
    limit("data", 5, null);
    assertThat(submit(intake, "data", 3)).isInstanceOf(Submission.Accepted.class);
    assertThat(submit(intake, "data", 3)).isEqualTo(limited(Limit.MAX_WAITING, 1));
    assertThat(submit(intake, "data", 6)).isEqualTo(never(Limit.MAX_WAITING));
    assertThat(submit(intake, "other", 50)).isInstanceOf(Submission.Accepted.class);
    assertThat(submit(intake, "data", 2)).isInstanceOf(Submission.Accepted.class);
    assertThat(store.count("task WHERE tenant = 'data'")).isEqualTo(5);
  }

  @Test
  void tasks_that_started_make_room() {
    limit("data", 2, null);
    submit(intake, "data", 2);
    assertThat(submit(intake, "data", 1)).isEqualTo(limited(Limit.MAX_WAITING, 1));
    store.run(
        "UPDATE task SET state = 'CANCELLED', ended_at = belay_now() WHERE tenant = 'data'",
        "UPDATE tenant_intake SET counted_at = counted_at - interval '1 s'");
    assertThat(submit(intake, "data", 2)).isInstanceOf(Submission.Accepted.class);
    assertThat(submit(intake, "data", 1)).isEqualTo(limited(Limit.MAX_WAITING, 1));
  }

  @Test
  void a_full_tenant_is_counted_at_most_once_a_second_however_many_submits_are_refused()
      throws Exception {
    limit("data", 5, null);
    submit(intake, "data", 5);
    submit(otherReplica, "data", 1);
    submit(intake, "data", 1);
    store.run("UPDATE tenant_intake SET counted_at = counted_at - interval '1 min'");
    submit(intake, "data", 1);
    submit(otherReplica, "data", 1);
    var counts = new AtomicInteger();
    String counting = Sql.named("intake/count_waiting");
    store
        .jdbi()
        .setSqlLogger(
            new SqlLogger() {
              @Override
              public void logAfterExecution(StatementContext context) {
                if (counting.equals(context.getRawSql())) {
                  counts.incrementAndGet();
                }
              }
            });
    store.run("UPDATE tenant_intake SET counted_at = counted_at - interval '1 min'");
    long start = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      TaskIntakeTest.race(8, () -> submit(Math.random() < 0.5 ? intake : otherReplica, "data", 1));
    }
    assertThat(counts.get()).isBetween(1, 2 + (int) ((System.nanoTime() - start) / 1_000_000_000));
    assertThat(store.count("task WHERE tenant = 'data'")).isEqualTo(5);
  }

  @Test
  void waiting_and_timed_tasks_of_the_tenant_are_counted_and_no_others() {
    limit("data", 4, null);
    submit(intake, "other", 3);
    submit(intake, "data", 3);
    store.run(
        "UPDATE task SET state = 'PENDING', not_before = belay_now() WHERE id = (SELECT id FROM"
            + " task WHERE tenant = 'data' LIMIT 1)",
        "UPDATE tenant_intake SET waiting = 99, counted_at = counted_at - interval '1 min'");
    assertThat(submit(intake, "data", 2)).isEqualTo(limited(Limit.MAX_WAITING, 1));
    assertThat(submit(intake, "data", 1)).isInstanceOf(Submission.Accepted.class);
  }

  @Test
  void submits_at_once_at_two_replicas_do_not_exceed_the_limit() throws Exception {
    limit("data", 20, null);
    var answers =
        TaskIntakeTest.race(
            16, () -> submit(Math.random() < 0.5 ? intake : otherReplica, "data", 3));
    var accepted = answers.stream().filter(each -> each instanceof Submission.Accepted).count();
    assertThat(accepted).isEqualTo(6);
    assertThat(store.count("task WHERE tenant = 'data'")).isEqualTo(18);
  }

  @Test
  void submits_at_once_do_not_exceed_the_rate() throws Exception {
    limit("data", null, new SubmitRate(10, Duration.ofHours(1)));
    var answers =
        TaskIntakeTest.race(
            16, () -> submit(Math.random() < 0.5 ? intake : otherReplica, "data", 1));
    assertThat(answers.stream().filter(each -> each instanceof Submission.Accepted)).hasSize(10);
    assertThat(submit(intake, "data", 1))
        .matches(
            answer ->
                answer instanceof Submission.Limited(var limit)
                    && limit.limit() == Limit.SUBMIT_RATE
                    && limit.retryAfter() != null
                    && limit.retryAfter().compareTo(Duration.ofMinutes(7)) < 0);
    assertThat(submit(intake, "data", 11)).isEqualTo(never(Limit.SUBMIT_RATE));
  }

  @Test
  void a_limit_counts_at_once_when_it_is_set_changed_and_removed() {
    submit(intake, "data", 4);
    limit("data", 5, null);
    assertThat(submit(intake, "data", 2)).isEqualTo(limited(Limit.MAX_WAITING, 1));
    limit("data", 6, null);
    assertThat(submit(intake, "data", 2)).isInstanceOf(Submission.Accepted.class);
    limit("data", null, null);
    assertThat(submit(intake, "data", 99)).isInstanceOf(Submission.Accepted.class);
    declarations.delete(Kind.TENANT, "data", new Declaration.Seen.Anything());
    assertThat(submit(intake, "data", 99)).isInstanceOf(Submission.Accepted.class);
  }

  @Test
  void a_repeated_submit_is_not_counted_and_a_refused_one_leaves_no_key() {
    limit("data", 3, null);
    var key = new IdempotencyKey("data", "k", "00");
    var first = intake.submit(List.of(new Batch(key, tasks("data", 2))), "me");
    assertThat(intake.submit(List.of(new Batch(key, tasks("data", 2))), "me")).isEqualTo(first);
    var second = new IdempotencyKey("data", "k2", "00");
    assertThat(intake.submit(List.of(new Batch(second, tasks("data", 2))), "me"))
        .isEqualTo(limited(Limit.MAX_WAITING, 1));
    assertThat(store.count("idempotency")).isEqualTo(1);
    assertThat(store.text("SELECT waiting FROM tenant_intake")).isEqualTo("2");
  }

  @Test
  void a_task_for_which_another_stands_is_not_counted_and_a_refused_one_leaves_no_unique_key() {
    limit("data", 3, null);
    var first = submit(intake, unique(OnConflict.EXISTING), 1);
    assertThat(submit(intake, unique(OnConflict.EXISTING), 3))
        .matches(
            answer ->
                answer instanceof Submission.Accepted(var ids, _)
                    && first instanceof Submission.Accepted(var ofFirst, _)
                    && Set.copyOf(ids).equals(Set.copyOf(ofFirst)));
    assertThat(store.text("SELECT waiting FROM tenant_intake")).isEqualTo("1");

    submit(intake, "data", 2);
    var other =
        tasks("data", 1)
            .getFirst()
            .with(new Unique("other", Scope.UNFINISHED, null, OnConflict.REJECT));
    assertThat(intake.submit(List.of(new Batch(null, List.of(other))), "me"))
        .isEqualTo(limited(Limit.MAX_WAITING, 1));
    assertThat(store.count("unique_task")).isEqualTo(1);
  }

  @Test
  void a_refused_replacement_ends_nothing_and_a_replaced_task_makes_room_at_once() {
    limit("data", 2, null);
    submit(intake, unique(OnConflict.REPLACE), 1);
    submit(intake, "data", 1);
    var both = new ArrayList<>(tasks("data", 2));
    both.set(0, both.getFirst().with(unique(OnConflict.REPLACE)));
    both.add(both.getLast());
    assertThat(intake.submit(List.of(new Batch(null, both)), "me"))
        .isEqualTo(never(Limit.MAX_WAITING));
    both.removeLast();
    assertThat(intake.submit(List.of(new Batch(null, both)), "me"))
        .isEqualTo(limited(Limit.MAX_WAITING, 1));
    assertThat(store.count("task WHERE state = 'SCHEDULED'")).isEqualTo(2);

    assertThat(submit(intake, unique(OnConflict.REPLACE), 1))
        .isInstanceOf(Submission.Accepted.class);
    assertThat(store.count("task WHERE state = 'SCHEDULED'")).isEqualTo(2);
    assertThat(store.count("task WHERE state = 'CANCELLED'")).isEqualTo(1);
    assertThat(store.text("SELECT waiting FROM tenant_intake")).isEqualTo("2");
  }

  private void limit(String tenant, @Nullable Integer maxWaiting, @Nullable SubmitRate rate) {
    assertThat(
            declarations.put(
                Kind.TENANT,
                new Tenant(tenant, null, 1, null, maxWaiting, rate),
                new Declaration.Seen.Anything(),
                "me"))
        .isInstanceOf(Declaration.Done.class);
  }

  private static Submission submit(TaskIntake intake, String tenant, int tasks) {
    return intake.submit(List.of(new Batch(null, tasks(tenant, tasks))), "me");
  }

  private static Submission submit(TaskIntake intake, Unique unique, int tasks) {
    var wanted = tasks("data", tasks).stream().map(task -> task.with(unique)).toList();
    return intake.submit(List.of(new Batch(null, wanted)), "me");
  }

  private static Unique unique(OnConflict onConflict) {
    return new Unique("u", Scope.UNFINISHED, null, onConflict);
  }

  private static List<NewTask> tasks(String tenant, int count) {
    return Collections.nCopies(
        count,
        new NewTask(
            tenant,
            "a",
            50,
            "default",
            "{\"argv\": [\"true\"]}",
            "{}",
            false,
            null,
            null,
            QueueOf.alone(tenant, "default", RunPolicy.DEFAULT)));
  }

  private static Submission limited(Limit limit, int seconds) {
    return new Submission.Limited(new TenantLimit("data", limit, Duration.ofSeconds(seconds)));
  }

  private static Submission never(Limit limit) {
    return new Submission.Limited(new TenantLimit("data", limit, null));
  }
}
